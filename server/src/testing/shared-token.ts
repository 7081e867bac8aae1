import type { TokenBook } from '#operations/account-token';

/** No number has a linked account: every call carries the token of the settings. */
export const sharedToken: TokenBook = {
  ofAccount: () => null,
  ofNumber: async () => ({ token: null, accountId: null }),
};
