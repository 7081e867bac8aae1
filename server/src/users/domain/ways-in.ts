/** What a person can sign in with by themselves. Links are made by others, so they are not among it. */
export interface WaysIn {
  readonly password: boolean;
  /** Whether a code of an authenticator app is asked for besides. A second factor alone lets nobody in. */
  readonly totp: boolean;
  /** How many recovery codes are left. */
  readonly recoveryCodes: number;
  /** How many passkeys there are. */
  readonly passkeys: number;
}

/** The ways that are enough to sign in, by name. */
function firstFactors({ password, passkeys }: WaysIn): Readonly<Record<string, boolean>> {
  return { password, passkey: passkeys > 0 };
}

/** Whether a person can sign in without a link. */
export function hasWayIn(ways: WaysIn): boolean {
  return Object.values(firstFactors(ways)).some(Boolean);
}

/** Whether a person could sign in only by a link if they lost this way. */
export function isOnlyWayIn(way: string, ways: WaysIn): boolean {
  return Object.entries(firstFactors(ways)).every(([name, has]) => name === way || !has);
}
