import type { AgentRole } from '#core/caller/permissions';
import type { AgentId, HoursId, TeamId, TenantId } from '#core/ids';

export const availabilities = ['online', 'away', 'offline'] as const;
export type Availability = (typeof availabilities)[number];

/** How long a sign of life holds: clients give one every 20 to 30 seconds, so that one lost request changes nothing. */
export const PRESENCE_MS = 60_000;
/** What a person can handle at a time; an agent who can do more sets it. */
export const DEFAULT_MAX_OPEN = 5;

/** Who answers customers. */
export interface Agent {
  readonly tenantId: TenantId;
  readonly agentId: AgentId;
  readonly name: string;
  readonly email: string | null;
  readonly role: AgentRole;
  /** What was last said; what counts is `availabilityAt`. */
  readonly availability: Availability;
  /** Until when the last sign of life holds; null: set by hand, holds until it is set again. */
  readonly presenceUntilMs: number | null;
  /** Conversations that assignment gives to an agent at a time, at most. */
  readonly maxOpen: number;
  /** Conversations that are open or pending now. */
  readonly openCount: number;
  readonly skills: readonly string[];
  readonly externalId: string | null;
  readonly teamIds: readonly TeamId[];
  readonly version: number;
  readonly createdMs: number;
  readonly updatedMs: number;
}

/** Offline once the last sign of life is too old, whether or not that was written down already. */
export function availabilityAt(
  { availability, presenceUntilMs }: Pick<Agent, 'availability' | 'presenceUntilMs'>,
  nowMs: number,
): Availability {
  return presenceUntilMs !== null && presenceUntilMs <= nowMs ? 'offline' : availability;
}

export const assignmentPolicies = ['manual', 'round_robin', 'least_loaded'] as const;
export type AssignmentPolicy = (typeof assignmentPolicies)[number];
export const reassignPolicies = ['offline', 'always', 'never'] as const;
export type ReassignPolicy = (typeof reassignPolicies)[number];

/** Agents who share a queue. */
export interface Team {
  readonly tenantId: TenantId;
  readonly teamId: TeamId;
  readonly name: string;
  readonly policy: AssignmentPolicy;
  /** Whether a customer gets the agent of the last conversation, when that one is eligible. */
  readonly sticky: boolean;
  readonly reassignOnReopen: ReassignPolicy;
  /** Null: the default hours of the tenant. */
  readonly hoursId: HoursId | null;
  readonly overflowTeamId: TeamId | null;
  readonly requiredSkills: readonly string[];
  /** Takes conversations that have no team. */
  readonly isDefault: boolean;
  readonly memberIds: readonly AgentId[];
  readonly version: number;
  readonly createdMs: number;
  readonly updatedMs: number;
}

/** More people than work in one team; a decision reads each of them. */
export const MAX_MEMBERS = 500;
export const MAX_SKILLS = 50;
