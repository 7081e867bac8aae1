/**
 * Shares of the three priorities (high, normal, bulk) when all of them wait in a lane. Every class has a share, so none starves; a fifth
 * of the tokens is reserved for high in addition (`queue/token-bucket.ts`).
 */
export const PRIORITY_WEIGHTS: readonly number[] = [16, 4, 1];
