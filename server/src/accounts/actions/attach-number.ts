import { audit } from '#access/actions/audit';
import type { AuditAction } from '#access/domain/audit';
import type { NetworkNumber } from '#accounts/domain/account-network';
import { registrationPin } from '#accounts/domain/link-state';
import { findStep, type LinkStepError, ownError, stepError } from '#accounts/domain/linking';
import { saveLinkedAccount } from '#accounts/store/linked-accounts';
import { linkNumber, type NumberLinked } from '#accounts/store/linked-numbers';
import { findNumberOwners } from '#accounts/store/phone-numbers';
import { withEvents } from '#events/actions/with-events';
import { withNumberEvents } from './change-number.ts';
import { afterStep, LinkTakenOver, logStep, type RunningLink, record } from './link-run.ts';

/** A number of a linked account, to become a sending number. */
export interface JoiningNumber {
  readonly token: string;
  readonly networkAccountId: string;
  readonly number: NetworkNumber;
  /** What its people call it; null: as before, or as the network calls it. */
  readonly name: string | null;
  /** Two-step PIN that somebody gave the number; absent or null: ours, or none. */
  readonly pin?: string | null;
}

const ACTIONS = {
  added: 'number.added',
  linked_again: 'number.linked',
  resumed: 'number.resumed',
} as const satisfies Partial<Record<NumberLinked, AuditAction>>;

/**
 * Registers a number, unless it can send already, and then makes it the tenant's: with its account, its lane and the
 * step that says so in one transaction, so that no number is ever half linked.
 */
export async function attachNumber(run: RunningLink, joining: JoiningNumber): Promise<void> {
  const prepared = await prepare(run, joining);
  const step = { name: 'register', target: joining.number.phoneNumberId } as const;
  if ('code' in prepared) return record(run, { ...step, error: prepared });
  const taken = await bind(run, { ...joining, number: prepared });
  logStep(run, { ...step, error: taken ? ownError('number_taken') : null });
}

/**
 * The number, ready to send, or why it is not. Its owner is checked first: registering the number of another tenant
 * would take it away from that tenant.
 */
async function prepare(
  run: RunningLink,
  { token, number, pin: given }: JoiningNumber,
): Promise<NetworkNumber | LinkStepError> {
  const { phoneNumberId } = number;
  const owner = (await findNumberOwners(run.db, [phoneNumberId])).get(phoneNumberId);
  if (owner !== undefined && owner !== run.account.tenantId) return ownError('number_taken');
  const isDone = findStep(run.account.steps, 'register', phoneNumberId).state === 'done';
  // With a PIN somebody asks for it, whatever was done before.
  if (number.isConnected || (isDone && !given)) return number;
  const pin = given ?? registrationPin(run.stateKey, phoneNumberId);
  const asked = await run.accounts.register(token, phoneNumberId, pin);
  if (!asked.ok) return stepError(asked.failure);
  // Registered it is another one: its state and its throughput. Without an answer the former words do.
  const described = await run.accounts.describe(token, phoneNumberId);
  return described.ok ? described.value : number;
}

/** @returns whether another tenant was faster */
async function bind(run: RunningLink, { networkAccountId, number, name }: JoiningNumber): Promise<boolean> {
  const { rt, db, origin } = run;
  const { tenantId, accountId } = run.account;
  const nowMs = rt.clock.now();
  const target = number.phoneNumberId;
  const bound = await withEvents(rt, db, async (tx, events) => {
    const link = { tenantId, accountId, networkAccountId, number, name, nowMs };
    const linked = await withNumberEvents(tx, events, { tenantId, phoneNumberId: target }, () => linkNumber(tx, link));
    const error = linked === 'taken' ? ownError('number_taken') : null;
    const account = afterStep(run, { name: 'register', target, error });
    // Throwing takes the number back too: a run that was succeeded leaves no trace.
    if (!(await saveLinkedAccount(tx, account))) throw new LinkTakenOver();
    const action = linked === 'taken' || linked === 'unchanged' ? null : ACTIONS[linked];
    const details = { account_id: accountId, phone: number.displayPhone };
    if (action !== null) await audit(rt, tx, { tenantId, origin, action, targetId: target, details });
    return { account, isTaken: linked === 'taken' };
  });
  run.account = bound.account;
  return bound.isTaken;
}
