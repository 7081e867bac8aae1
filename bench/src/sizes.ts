import type { Sizes } from './scenario.ts';

/** What the figures are published with. */
export const FULL: Sizes = {
  acceptSeconds: 10,
  acceptRounds: 3,
  uploadBytes: 16 * 1024 * 1024,
  steadySeconds: 60,
  backlogMessages: 200_000,
  // A little more than wanted, so that "steady" means that the wanted rate was really carried.
  offeredShare: 1.04,
  idleRequests: 400,
  idleWarmUp: 30,
  manyMessages: 1_000_000,
  fewMessages: 1_000,
  readSeconds: 8,
  limitedSeconds: 30,
  limitedMessages: 100_000,
  drainMessages: 1_000_000,
  peerSeconds: 8,
  overloadRounds: 2,
  overloadSeconds: 30,
  noisyMessages: 200_000,
  allFaults: true,
  quietRounds: 3,
  quietSeconds: 20,
  besideRounds: 6,
  // A lock delays what left together with its rows, once, for a quarter of a second.
  besideSeconds: 15,
  webhookRounds: 20,
  webhookEvents: 100,
  importRows: 100_000,
  ruleMessages: 20_000,
  inboxMessages: 10_000_000,
  inboxRounds: 200,
  searchMessages: 1_000_000,
  consoleMessages: 2_000_000,
  consoleAgents: 50,
  consoleRows: 10_000,
  consoleEvents: 50_000,
  consoleRounds: 5,
  consoleIdleSeconds: 300,
  wakingNumbers: 5_000,
  wakingIdleSeconds: 60,
  wakingRounds: 3,
  cellTenants: 5_000,
  neglectSeconds: 60,
  neglectRounds: 5,
  soakSeconds: 7_200,
};

/** Enough to see that everything runs; the figures mean nothing. */
export const QUICK: Sizes = {
  acceptSeconds: 1,
  acceptRounds: 1,
  uploadBytes: 1024 * 1024,
  steadySeconds: 3,
  backlogMessages: 200,
  offeredShare: 0.05,
  idleRequests: 10,
  idleWarmUp: 3,
  manyMessages: 2_000,
  fewMessages: 200,
  readSeconds: 1,
  limitedSeconds: 1,
  limitedMessages: 2_400,
  drainMessages: 2_000,
  peerSeconds: 1,
  overloadRounds: 1,
  overloadSeconds: 2,
  noisyMessages: 2_000,
  allFaults: false,
  quietRounds: 1,
  quietSeconds: 3,
  besideRounds: 1,
  besideSeconds: 1,
  webhookRounds: 1,
  webhookEvents: 20,
  importRows: 1_000,
  ruleMessages: 200,
  inboxMessages: 4_000,
  inboxRounds: 4,
  searchMessages: 50_000,
  consoleMessages: 20_000,
  consoleAgents: 5,
  consoleRows: 500,
  consoleEvents: 400,
  consoleRounds: 1,
  consoleIdleSeconds: 5,
  wakingNumbers: 100,
  wakingIdleSeconds: 1,
  wakingRounds: 1,
  cellTenants: 80,
  neglectSeconds: 3,
  neglectRounds: 1,
  soakSeconds: 20,
};

/** The same run with another number of messages in the tenants of `inbox-reads`, `console` and `search`. */
export function withRows(sizes: Sizes, rows: number | null): Sizes {
  return rows === null ? sizes : { ...sizes, inboxMessages: rows, consoleMessages: rows, searchMessages: rows };
}

/** The same run with another length of everything that lasts a time: for tuning. */
export function withSeconds(sizes: Sizes, seconds: number | null): Sizes {
  if (seconds === null) return sizes;
  return {
    ...sizes,
    acceptSeconds: seconds,
    steadySeconds: seconds,
    readSeconds: seconds,
    limitedSeconds: seconds,
    peerSeconds: seconds,
    overloadSeconds: seconds,
    quietSeconds: seconds,
    neglectSeconds: seconds,
    soakSeconds: seconds,
  };
}
