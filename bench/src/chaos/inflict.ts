import { pause } from '../harness/pause.ts';
import type { Random } from '../random.ts';
import type { Arena } from './arena.ts';
import type { RoundPlan } from './plan.ts';

const LONGEST_START_MS = 1_500;
const BACKEND_WAVES = 6;
const WAVE_EVERY_MS = 150;

/** Does the fault of a round and repairs it. @returns when the repair began, milliseconds since 1970: starting takes part of the recovery */
export async function inflict(arena: Arena, plan: RoundPlan, random: Random): Promise<number> {
  await pause(plan.faultAfterMs);
  let repairedMs = Date.now();
  switch (plan.fault) {
    case 'kill_server':
      await killServer(arena);
      await pause(plan.awayMs);
      repairedMs = Date.now();
      await arena.restartServer();
      break;
    case 'kill_server_twice':
      await killServer(arena);
      await killWhileStarting(arena, random.between(0, LONGEST_START_MS));
      repairedMs = Date.now();
      await arena.restartServer();
      break;
    case 'freeze_server':
      arena.server.signal('SIGSTOP');
      await pause(plan.awayMs);
      repairedMs = Date.now();
      arena.server.signal('SIGCONT');
      break;
    case 'kill_dispatcher':
      arena.second?.signal('SIGKILL');
      await arena.second?.exited;
      await pause(plan.awayMs);
      repairedMs = Date.now();
      await arena.restartSecond();
      break;
    case 'freeze_dispatcher':
      arena.second?.signal('SIGSTOP');
      await pause(plan.awayMs);
      repairedMs = Date.now();
      arena.second?.signal('SIGCONT');
      break;
    case 'terminate_backends':
      await terminateBackends(arena);
      repairedMs = Date.now();
      break;
    case 'kill_postgres':
      arena.postgres?.killHard();
      await pause(plan.awayMs);
      repairedMs = Date.now();
      await arena.postgres?.restart();
      break;
  }
  return repairedMs;
}

async function killServer(arena: Arena): Promise<void> {
  arena.server.signal('SIGKILL');
  await arena.server.exited;
}

/** Killed again while it recovers: a start must be as safe to interrupt as everything else. */
async function killWhileStarting(arena: Arena, afterMs: number): Promise<void> {
  let kill = (): void => undefined;
  const started = arena.restartServer((handle) => {
    kill = handle;
  });
  const outcome = started.then(
    () => true,
    () => false,
  );
  await pause(afterMs);
  kill();
  if (await outcome) await arena.server.exited;
}

/** Every connection of the service is cut, several times in a second. */
async function terminateBackends(arena: Arena): Promise<void> {
  const database = await arena.open();
  for (let wave = 0; wave < BACKEND_WAVES; wave += 1) {
    await database.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like 'postrider%'`);
    await pause(WAVE_EVERY_MS);
  }
  await database.close();
}
