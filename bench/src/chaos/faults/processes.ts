import { pause } from '../../harness/pause.ts';
import type { Program } from '../../harness/process.ts';
import type { Arena } from '../arena.ts';
import { BOTH, type FaultAction, POSTGRES, type Repair } from './fault.ts';

const MAX_AWAY_MS = 400;
const FREEZE_MS = 2_500;
/** Longer than an owner may be silent (6 s): another takes its lanes, and then it wakes up. */
const ZOMBIE_MS = 8_000;
const LONGEST_START_MS = 1_500;

export const killServer: FaultAction = {
  databases: BOTH,
  lasts: (random) => random.between(0, MAX_AWAY_MS),
  inflict: async (arena) => {
    await kill(arena.server);
    return () => arena.restartServer();
  },
};

/** Killed again while it recovers: a start must be as safe to interrupt as everything else. */
export const killServerTwice: FaultAction = {
  databases: BOTH,
  lasts: () => 0,
  inflict: async (arena, random) => {
    await kill(arena.server);
    await killWhileStarting(arena, random.between(0, LONGEST_START_MS));
    return () => arena.restartServer();
  },
};

export const freezeServer: FaultAction = {
  databases: BOTH,
  lasts: () => FREEZE_MS,
  inflict: async (arena) => freeze(arena.server),
};

export const killDispatcher: FaultAction = {
  databases: POSTGRES,
  lasts: (random) => random.between(0, MAX_AWAY_MS),
  inflict: async (arena) => {
    await kill(arena.second);
    return () => arena.restartSecond();
  },
};

export const freezeDispatcher: FaultAction = {
  databases: POSTGRES,
  lasts: () => ZOMBIE_MS,
  inflict: async (arena) => freeze(arena.second),
};

async function kill(program: Program | null): Promise<void> {
  program?.signal('SIGKILL');
  await program?.exited;
}

function freeze(program: Program | null): Repair {
  program?.signal('SIGSTOP');
  return async () => program?.signal('SIGCONT');
}

async function killWhileStarting(arena: Arena, afterMs: number): Promise<void> {
  let killNow = (): void => undefined;
  const started = arena.restartServer((handle) => {
    killNow = handle;
  });
  const outcome = started.then(
    () => true,
    () => false,
  );
  await pause(afterMs);
  killNow();
  if (await outcome) await arena.server.exited;
}
