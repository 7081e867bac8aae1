import { findTenant } from '#access/store/tenants';
import { findAgent } from '#agents/store/agents';
import type { AgentId, TenantId } from '#core/ids';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import { invitationMail } from '#users/domain/invitation-mail';
import type { Mailer, MailFailure } from '#users/domain/mail';
import { releaseAttempts, type TakenAttempt, takeAttempt } from '#users/store/sign-in-attempts';
import type { Invitation } from './invite-agent.ts';
import { subjectOfMailFrom, subjectOfMailTo } from './limit-attempts.ts';

export const MAIL_WINDOW_MS = 60 * 60_000;
/** Whoever may invite chooses the address: nobody is flooded by this service, whichever tenants do it. */
export const MAILS_PER_ADDRESS = 5;
/** Enough for a large team that begins on one day. */
const PER_TENANT = 100;

/** Why an invitation was not mailed. `limited`: too many were, to this address or by this tenant. */
export type NotMailed = MailFailure | 'not_configured' | 'no_address' | 'limited';

/** What became of the mail of an invitation. */
export interface InvitationMailed {
  /** Null: the agent has no address. */
  readonly address: string | null;
  /** Null: the mail server took it. */
  readonly failure: NotMailed | null;
}

/**
 * Mails an invitation to the address of its agent, after it was made: whatever becomes of the mail, the link works. Ends within
 * seconds. A process that is killed meanwhile has mailed it or not; the next invitation takes this one back.
 * @param mailer null: no mail server is set up
 */
export async function mailInvitation(
  rt: Runtime,
  db: Database,
  {
    mailer,
    tenantId,
    invitation,
    acting,
  }: {
    readonly mailer: Mailer | null;
    readonly tenantId: TenantId;
    readonly invitation: Invitation;
    /** Who invites; null: a program. */
    readonly acting: { readonly agentId: AgentId } | null;
  },
): Promise<InvitationMailed> {
  const { email: address, name, url, expiresMs } = invitation;
  if (mailer === null) return { address, failure: 'not_configured' };
  if (address === null) return { address, failure: 'no_address' };
  if (!(await takePlace(rt, db, { tenantId, address }))) return { address, failure: 'limited' };
  const [tenant, inviter] = await Promise.all([
    findTenant(db, tenantId),
    acting === null ? null : findAgent(db, tenantId, acting.agentId),
  ]);
  const names = { name, tenantName: tenant?.name ?? '', invitedBy: inviter?.name ?? null };
  return { address, failure: await mailer.send(invitationMail({ ...names, to: address, url, expiresMs })) };
}

/** @returns whether one more mail may go to this address, and from this tenant */
async function takePlace(
  rt: Runtime,
  db: Database,
  { tenantId, address }: { readonly tenantId: TenantId; readonly address: string },
): Promise<boolean> {
  const limits = [
    { subject: subjectOfMailFrom(tenantId), limit: PER_TENANT, windowMs: MAIL_WINDOW_MS },
    { subject: subjectOfMailTo(address), limit: MAILS_PER_ADDRESS, windowMs: MAIL_WINDOW_MS },
  ];
  const taken: TakenAttempt[] = [];
  for (const limit of limits) {
    const place = await takeAttempt(db, limit, rt.clock.now());
    if (place === null) {
      await releaseAttempts(db, taken);
      return false;
    }
    taken.push(place);
  }
  return true;
}
