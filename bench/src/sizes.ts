import type { Sizes } from './scenario.ts';

/** What the figures are published with. */
export const FULL: Sizes = {
  acceptSeconds: 10,
  acceptRounds: 3,
  steadySeconds: 60,
  backlogMessages: 200_000,
  idleRequests: 400,
  manyMessages: 1_000_000,
  fewMessages: 1_000,
  readSeconds: 8,
  limitedSeconds: 30,
  drainMessages: 1_000_000,
  peerSeconds: 8,
};

/** Enough to see that everything runs; the figures mean nothing. */
export const QUICK: Sizes = {
  acceptSeconds: 0.5,
  acceptRounds: 1,
  steadySeconds: 2,
  backlogMessages: 500,
  idleRequests: 20,
  manyMessages: 2_000,
  fewMessages: 200,
  readSeconds: 0.5,
  limitedSeconds: 2,
  drainMessages: 2_000,
  peerSeconds: 0.5,
};

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
  };
}
