import type { UserId } from '#core/ids';
import { type SqlRunner, statement } from '#database/database';

const CHALLENGE_INSERT = statement('passkey_challenge_insert')`
insert into passkey_challenges (challenge_hash, user_id, expires_ms) values ($1, $2, $3)`;

export interface PasskeyChallenge {
  readonly challengeHash: string;
  /** Of whoever adds a passkey; null: somebody signs in. */
  readonly userId: UserId | null;
  readonly expiresMs: number;
}

export async function insertPasskeyChallenge(db: SqlRunner, challenge: PasskeyChallenge): Promise<void> {
  await db.run(CHALLENGE_INSERT, [challenge.challengeHash, challenge.userId, challenge.expiresMs]);
}

const CHALLENGE_TAKE = statement('passkey_challenge_take')`
delete from passkey_challenges
where challenge_hash = $1 and user_id is not distinct from $2::uuid and expires_ms > $3`;

/**
 * Uses a challenge up, also when its answer then turns out to be wrong.
 * @param userId whom it was made for; null: to sign in
 * @returns false when there is no such challenge, or its time is over
 */
export async function takePasskeyChallenge(
  db: SqlRunner,
  { challengeHash, userId }: Omit<PasskeyChallenge, 'expiresMs'>,
  nowMs: number,
): Promise<boolean> {
  return (await db.run(CHALLENGE_TAKE, [challengeHash, userId, nowMs])).rowCount === 1;
}
