import { BOTH, type FaultAction } from './fault.ts';

const FULL_MS = 4_000;
const JUMPED_MS = 5_000;
const JUMP_MS = 3_600_000;

/** Somebody sets the clock of the server's machine an hour on or back, and right again. */
export const clockJump: FaultAction = {
  databases: BOTH,
  isApart: true,
  lasts: () => JUMPED_MS,
  inflict: async ({ clock }, random) => {
    clock.set(random.next() < 0.5 ? JUMP_MS : -JUMP_MS);
    return async () => clock.set(0);
  },
};

/** The disk of the database has no byte left. What gave up on it is started again when there is space. */
export const diskFull: FaultAction = {
  databases: BOTH,
  needsDisk: true,
  lasts: () => FULL_MS,
  inflict: async (arena) => {
    const free = arena.disk?.fill();
    return async () => {
      free?.();
      if (arena.postgres?.isGone()) await arena.postgres.restart();
      if (arena.server.isGone()) await arena.restartServer();
      if (arena.second?.isGone()) await arena.restartSecond();
    };
  },
};
