import type { TokenProvider } from '#accounts/actions/account-token';

/** No number has a linked account: every call carries the token of the settings. */
export const sharedToken: TokenProvider = {
  ofAccount: () => null,
  ofNumber: async () => ({ token: null, accountId: null }),
};
