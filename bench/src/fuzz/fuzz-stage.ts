import pg from 'pg';
import { builtPrograms } from '../harness/paths.ts';
import type { Postgres } from '../harness/postgres.ts';
import { API_KEY, PHONE_NUMBER_ID } from '../harness/server.ts';
import type { Simulator } from '../harness/simulator.ts';
import { type DatabaseKind, openStage, UNLIMITED } from '../harness/stage.ts';
import type { Workspace } from '../harness/workspace.ts';
import { type KnownIds, makeKnownIds, type Others } from './known-ids.ts';
import { type FuzzReport, type FuzzSpec, runFuzz } from './run-fuzz.ts';
import { type StoreAndReadReport, type StoreAndReadSpec, storeAndRead } from './store-and-read.ts';

export interface StageSpec {
  readonly database: DatabaseKind;
  /** Needed for `postgres`. */
  readonly postgres: Postgres | null;
  readonly workspace: Workspace;
  /** Of the stage; names its database. */
  readonly name: string;
}

export interface FuzzStageSpec extends StageSpec, Pick<FuzzSpec, 'seed' | 'cases' | 'hasNextRound'> {
  readonly killBackends: boolean;
}

export interface StoreAndReadStageSpec extends StageSpec, Pick<StoreAndReadSpec, 'seed' | 'each'> {}

/** With one operation at a time no statement would be under way when its connection ends. */
const AT_ONCE_WHILE_KILLING = 4;

/** A service with some of everything. */
interface Furnished {
  readonly base: string;
  readonly known: KnownIds;
  readonly databaseUrl: string | null;
}

/** Starts a service and the simulated network, and fuzzes the service. */
export function fuzzOnStage(spec: FuzzStageSpec): Promise<FuzzReport> {
  const { postgres, killBackends, seed, cases, hasNextRound } = spec;
  return onStage(spec, async ({ base, known, databaseUrl }) => {
    const hurt = killBackends && postgres !== null ? backendKiller(postgres.adminUrl, databaseUrl ?? '') : null;
    try {
      const atOnce = hurt === null ? 1 : AT_ONCE_WHILE_KILLING;
      return await runFuzz({ base, key: API_KEY, known, seed, cases, hasNextRound, atOnce, hurt: hurt?.kill ?? null });
    } finally {
      await hurt?.close();
    }
  });
}

/** Starts the same, stores odd values in the service, and reads them in every way. */
export function storeAndReadOnStage(spec: StoreAndReadStageSpec): Promise<StoreAndReadReport> {
  const { seed, each } = spec;
  return onStage(spec, ({ base, known }) => storeAndRead({ base, key: API_KEY, known, seed, each }));
}

async function onStage<T>(spec: StageSpec, run: (furnished: Furnished) => Promise<T>): Promise<T> {
  const { database, postgres, workspace, name } = spec;
  const stage = await openStage({
    programs: builtPrograms(),
    workspace,
    database,
    postgres,
    name,
    networkRate: 0,
    settings: UNLIMITED,
  });
  try {
    const base = stage.server.url;
    const known = await makeKnownIds(base, API_KEY, othersOf(stage.simulator));
    return await run({ base, known, databaseUrl: stage.databaseUrl });
  } finally {
    await stage.close();
  }
}

/** An account at the simulated network, whose person allows everything. */
const ACCOUNT = { waba_id: '300000000000001', phone_number_id: '300000000000002' } as const;

function othersOf(simulator: Simulator): Others {
  return {
    write: async (text) => {
      await simulator.control('POST', '/_sim/inbound', {
        phone_number_id: PHONE_NUMBER_ID,
        // A customer for each text: there are several conversations.
        from: `44770090077${text.at(-1)}`,
        text,
      });
    },
    allow: async (dialogUrl) => {
      await simulator.control('POST', '/_sim/numbers', {
        ...ACCOUNT,
        display_phone_number: '15550003002',
        registered: true,
      });
      const body = new URLSearchParams({ decision: 'continue', waba_id: ACCOUNT.waba_id });
      const answer = await fetch(dialogUrl, { method: 'POST', body, redirect: 'manual' });
      return answer.headers.get('location') ?? '';
    },
  };
}

/** Ends every connection of a database, from outside of it. */
function backendKiller(adminUrl: string, databaseUrl: string) {
  // Several requests may want it concurrently: one connection, and a queue in front of it.
  const pool = new pg.Pool({ connectionString: adminUrl, max: 1 });
  const name = new URL(databaseUrl).pathname.slice(1);
  const text = 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1';
  return {
    kill: async (): Promise<void> => void (await pool.query(text, [name])),
    close: () => pool.end(),
  };
}
