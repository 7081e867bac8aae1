/** Where somebody goes on who signs in again because an action asked for it. */
export const AFTER_SIGN_IN = {
  account: '/account',
  team: '/settings/team',
  sso: '/settings/sso',
} as const;
export type AfterSignIn = keyof typeof AFTER_SIGN_IN;

export function isAfterSignIn(value: unknown): value is AfterSignIn {
  return typeof value === 'string' && Object.hasOwn(AFTER_SIGN_IN, value);
}
