import { createHash } from 'node:crypto';
import { ApiProblem } from '#core/errors';
import type { TenantId, UserId } from '#core/ids';
import { callerNetwork } from '#core/public-address';
import type { Database, SqlRunner } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import {
  type AttemptLimit,
  attemptsEndMs,
  clearAttempts,
  releaseAttempts,
  type TakenAttempt,
  takeAttempt,
} from '#users/store/sign-in-attempts';

const WINDOW_MS = 15 * 60_000;
/** Few enough that a password which is not among the first thousands survives years of guessing. */
const PER_ACCOUNT = 10;
/** Many people can share an address. */
const PER_ADDRESS = 50;
const TOO_MANY = 'Too many attempts. Wait for the number of seconds in Retry-After, or use a sign-in link.';

/** An attempt to prove who somebody is, counted before it is known whether it is right. */
export interface Attempt {
  readonly taken: readonly TakenAttempt[];
}

/** Names an account by the address that was typed, whether there is such an account or not. */
export function subjectOfEmail(email: string): string {
  return subject('email', email.trim().normalize('NFKC').toLowerCase());
}

/** Names the account of a person who is known already. */
export function subjectOfUser(userId: UserId): string {
  return subject('user', userId);
}

/** Names what a person tries to take as their own address. */
export function subjectOfClaim(userId: UserId): string {
  return subject('claim', userId);
}

/** Names an address that mail is sent to. */
export function subjectOfMailTo(email: string): string {
  return subject('mail to', email.trim().normalize('NFKC').toLowerCase());
}

/** Names an account that somebody wants to recover, whether there is such an account or not. */
export function subjectOfRecovery(email: string): string {
  return subject('recovery', email.trim().normalize('NFKC').toLowerCase());
}

/** Names a tenant whose mail is counted. */
export function subjectOfMailFrom(tenantId: TenantId): string {
  return subject('mail from', tenantId);
}

/** Only hashes are kept: people also type their password where the address belongs. */
function subject(kind: string, value: string): string {
  return createHash('sha256').update(`${kind}/${value}`).digest('base64');
}

/**
 * Counts an attempt at an account from an address, until it turns out to be right.
 * @param address null: it is not counted by address
 * @throws ApiProblem rate_limited when there were too many, in the same words for accounts that exist and those that do not
 */
export async function beginAttempt(
  rt: Runtime,
  db: Database,
  { account, address }: { readonly account: string; readonly address: string | null },
): Promise<Attempt> {
  const limits: AttemptLimit[] = [{ subject: account, limit: PER_ACCOUNT, windowMs: WINDOW_MS }];
  if (address !== null) {
    const network = subject('address', callerNetwork(address) ?? '');
    limits.unshift({ subject: network, limit: PER_ADDRESS, windowMs: WINDOW_MS });
  }
  const taken: TakenAttempt[] = [];
  for (const limit of limits) {
    const one = await takeAttempt(db, limit, rt.clock.now());
    if (one === null) throw await tooMany(rt, db, limit);
    taken.push(one);
  }
  return { taken };
}

async function tooMany(rt: Runtime, db: Database, { subject: of, windowMs }: AttemptLimit): Promise<ApiProblem> {
  rt.metrics.refused.inc({ door: 'api', reason: 'sign_ins' });
  const endsMs = await attemptsEndMs(db, of);
  const waitMs = endsMs === null ? windowMs : Math.max(1_000, endsMs - rt.clock.now());
  const headers = { 'retry-after': String(Math.ceil(waitMs / 1_000)) };
  return new ApiProblem('rate_limited', { sentence: TOO_MANY, headers });
}

/** Takes an attempt back that was not wrong. */
export async function releaseAttempt(db: SqlRunner, { taken }: Attempt): Promise<void> {
  if (taken.length > 0) await releaseAttempts(db, taken);
}

/** Runs what an attempt is for, and takes it back when that did not fail because of what was given. */
export async function settlingAttempt<T>(db: Database, attempt: Attempt, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isWrongGuess(error)) await releaseAttempt(db, attempt);
    throw error;
  }
}

const WRONG_GUESSES: readonly string[] = ['sign_in_failed', 'second_factor_failed', 'wrong_password'];

function isWrongGuess(error: unknown): boolean {
  return error instanceof ApiProblem && WRONG_GUESSES.includes(error.code);
}

/** After a proof: what was counted of the account is forgotten. What others tried from the same address is not. */
export async function endAttempt(
  db: SqlRunner,
  attempt: Attempt,
  { userId, email }: { readonly userId: UserId; readonly email: string | null },
): Promise<void> {
  await releaseAttempt(db, attempt);
  await forgetAttempts(db, { userId, email });
}

/** Forgets the failures of an account. */
export async function forgetAttempts(
  db: SqlRunner,
  { userId, email }: { readonly userId: UserId; readonly email: string | null },
): Promise<void> {
  await clearAttempts(db, [subjectOfUser(userId), ...(email === null ? [] : [subjectOfEmail(email)])]);
}
