/** The screen to return to after an action has made somebody sign in again. */
export const AFTER_SIGN_IN = {
  account: '/account',
  team: '/settings/team',
  sso: '/settings/sso',
} as const;
export type AfterSignIn = keyof typeof AFTER_SIGN_IN;

export function isAfterSignIn(value: unknown): value is AfterSignIn {
  return typeof value === 'string' && Object.hasOwn(AFTER_SIGN_IN, value);
}
