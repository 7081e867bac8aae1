import { type SqlRunner, statement } from '#database/database';

/** One attempt that was counted. */
export interface TakenAttempt {
  readonly subject: string;
  /** When counting begins anew. */
  readonly endsMs: number;
}

/** Counted where it is decided: of attempts that come at the same moment, no more than the limit are let through. */
const ATTEMPT_TAKE = statement('sign_in_attempt_take')`
insert into sign_in_attempts as a (subject, attempts, ends_ms) values ($1, 1, $3)
on conflict (subject) do update set
  attempts = case when a.ends_ms <= $2 then 1 else a.attempts + 1 end,
  ends_ms = case when a.ends_ms <= $2 then excluded.ends_ms else a.ends_ms end
where a.ends_ms <= $2 or a.attempts < $4
returning subject, ends_ms`;

/** How attempts at one subject are limited. */
export interface AttemptLimit {
  readonly subject: string;
  readonly limit: number;
  readonly windowMs: number;
}

/** Counts an attempt. @returns null when there were too many */
export async function takeAttempt(
  db: SqlRunner,
  { subject, limit, windowMs }: AttemptLimit,
  nowMs: number,
): Promise<TakenAttempt | null> {
  return (await db.run<TakenAttempt>(ATTEMPT_TAKE, [subject, nowMs, nowMs + windowMs, limit])).rows[0] ?? null;
}

const ATTEMPTS_END = statement('sign_in_attempts_end')`select ends_ms from sign_in_attempts where subject = $1`;

/** When attempts at this subject are counted anew, in milliseconds since 1970; null: nothing is counted. */
export async function attemptsEndMs(db: SqlRunner, subject: string): Promise<number | null> {
  return (await db.run<{ endsMs: number }>(ATTEMPTS_END, [subject])).rows[0]?.endsMs ?? null;
}

const ATTEMPT_RELEASE = statement('sign_in_attempt_release')`
update sign_in_attempts a set attempts = a.attempts - 1
from unnest($1::text[], $2::bigint[]) as t(subject, ends_ms)
where a.subject = t.subject and a.ends_ms = t.ends_ms and a.attempts > 0`;

/** Takes attempts back that did not fail. */
export async function releaseAttempts(db: SqlRunner, taken: readonly TakenAttempt[]): Promise<void> {
  await db.run(ATTEMPT_RELEASE, [taken.map(({ subject }) => subject), taken.map(({ endsMs }) => endsMs)]);
}

const ATTEMPTS_CLEAR = statement(
  'sign_in_attempts_clear',
)`delete from sign_in_attempts where subject = any($1::text[])`;

/** Forgets what was counted. */
export async function clearAttempts(db: SqlRunner, subjects: readonly string[]): Promise<void> {
  await db.run(ATTEMPTS_CLEAR, [subjects]);
}
