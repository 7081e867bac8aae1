import type { AgentRole } from '#core/caller/permissions';
import type { AgentId, SessionId, TenantId, UserId } from '#core/ids';
import type { JsonObject } from '#core/json';

/** A person. In each tenant in which the person works there is an agent of it. */
export interface User {
  readonly userId: UserId;
  readonly name: string;
  /** Null: the person signs in by one-time links only. */
  readonly email: string | null;
  /** When the person proved that the address is theirs; null: not yet. */
  readonly emailConfirmedMs: number | null;
  /** What clients keep for the person: theme, keys, sounds. */
  readonly preferences: JsonObject;
  readonly createdMs: number;
  readonly updatedMs: number;
}

/** A tenant in which a person works, and the agent of the person there. */
export interface Membership {
  readonly tenantId: TenantId;
  readonly tenantName: string;
  readonly agentId: AgentId;
  readonly agentName: string;
  readonly role: AgentRole;
  /** Whether single sign-on is the only way in to this tenant for the person. */
  readonly needsSso: boolean;
}

/** A sign-in that has not ended. Times are milliseconds since 1970. */
export interface Session {
  readonly tenantId: TenantId;
  readonly sessionId: SessionId;
  readonly userId: UserId;
  readonly agentId: AgentId;
  readonly createdMs: number;
  /** When the person last proved who they are. */
  readonly signedInMs: number;
  readonly lastUsedMs: number;
  /** Without use for so long it ends. */
  readonly idleMs: number;
  readonly expiresMs: number;
  readonly userAgent: string | null;
  readonly address: string | null;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A session ends without use for so long. */
export const IDLE_MS = 12 * HOUR_MS;
/** The same for a person who asked to stay signed in. */
export const REMEMBERED_IDLE_MS = 30 * DAY_MS;
/** However much it is used, a session ends after this. */
export const SESSION_MS = 30 * DAY_MS;
/** A link that is handed to a colleague. */
export const INVITATION_MS = 7 * DAY_MS;
/** A link for a person who can no longer sign in: it has to reach them first. */
export const RECOVERY_MS = DAY_MS;
/** A link that a person mails to their own confirmed address. */
export const SELF_RECOVERY_MS = 30 * MINUTE_MS;
/** What confirms an address: people read mail the next day. */
export const CONFIRMATION_MS = DAY_MS;
/** A link that `npm start` or the operator prints. */
export const LINK_MS = 10 * MINUTE_MS;

/** When a session ends unless it is used again. */
export function endsMs({
  lastUsedMs,
  idleMs,
  expiresMs,
}: Pick<Session, 'lastUsedMs' | 'idleMs' | 'expiresMs'>): number {
  return Math.min(lastUsedMs + idleMs, expiresMs);
}
