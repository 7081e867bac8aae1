import pg from 'pg';
import { pause } from '../../harness/pause.ts';
import type { Arena } from '../arena.ts';
import { type FaultAction, NO_REPAIR, POSTGRES } from './fault.ts';

const MAX_AWAY_MS = 400;
const BACKEND_WAVES = 6;
const WAVE_EVERY_MS = 150;
const FROZEN_MS = 6_000;
const CROWDED_MS = 5_000;
const LOCKED_MS = 6_000;
/** More than the server of a run allows: it refuses before. */
const MOST_CONNECTIONS = 500;

const CUT_SERVICE = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and application_name like 'postrider%'`;

export const killPostgres: FaultAction = {
  databases: POSTGRES,
  lasts: (random) => random.between(0, MAX_AWAY_MS),
  inflict: async ({ postgres }) => {
    postgres?.killHard();
    return async () => postgres?.restart();
  },
};

/** It takes connections and answers nothing, as a stalled disk or a partition makes it. */
export const freezePostgres: FaultAction = {
  databases: POSTGRES,
  lasts: () => FROZEN_MS,
  inflict: async ({ postgres }) => {
    const thaw = postgres?.freeze();
    return async () => thaw?.();
  },
};

/** Every connection of the service is cut, several times in a second. */
export const terminateBackends: FaultAction = {
  databases: POSTGRES,
  lasts: () => 0,
  inflict: async (arena) => {
    const client = await connect(arena);
    for (let wave = 0; wave < BACKEND_WAVES; wave += 1) {
      await client.query(CUT_SERVICE);
      await pause(WAVE_EVERY_MS);
    }
    await client.end();
    return NO_REPAIR;
  },
};

/** Others hold every connection that the server allows, also those that the service had. */
export const connectionLimit: FaultAction = {
  databases: POSTGRES,
  lasts: () => CROWDED_MS,
  inflict: async (arena) => {
    const first = await connect(arena);
    const held = [first, ...(await crowd(arena))];
    await first.query(CUT_SERVICE);
    held.push(...(await crowd(arena)));
    return async () => {
      await Promise.all(held.map((client) => client.end()));
    };
  },
};

/**
 * In the order in which the service locks them, so that the two do not wait for each other: events are numbered last.
 */
const LOCKS = [
  `select 1 from usage_counters where tenant_id = $1
   order by day, fact, phone_number_id, name, slot for update`,
  'select 1 from event_heads where tenant_id = $1 for update',
];

/** A foreign transaction holds rows that every accept of the first tenant needs. */
export const lockHeld: FaultAction = {
  databases: POSTGRES,
  isApart: true,
  lasts: () => LOCKED_MS,
  inflict: async (arena) => {
    const client = await connect(arena);
    await client.query('begin');
    for (const lock of LOCKS) await client.query(lock, [arena.tenantId]);
    return async () => {
      await client.query('rollback');
      await client.end();
    };
  },
};

/** Takes all connections that are left. */
async function crowd(arena: Arena): Promise<readonly pg.Client[]> {
  const held: pg.Client[] = [];
  while (held.length < MOST_CONNECTIONS) {
    const client = await connect(arena).catch(() => null);
    if (client === null) break;
    held.push(client);
  }
  return held;
}

async function connect({ databaseUrl }: Arena): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl ?? '', application_name: 'chaos' });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
