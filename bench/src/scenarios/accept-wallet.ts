import { atLeast, type Figure } from '../figure.ts';
import { openDatabase } from '../harness/open-database.ts';
import { API_KEY, type Server } from '../harness/server.ts';
import { type Stage, UNLIMITED } from '../harness/stage.ts';
import type { LoadJob } from '../load/job.ts';
import { type Bench, onStage, type Scenario } from '../scenario.ts';
import { alternate, compared } from './support/alternate.ts';

const CONNECTIONS = 64;
const RECIPIENTS = 100_000;
const WARM_UP_REQUESTS = 5_000;
const WANTED_RATIO = 0.7;
const OFF = { ...UNLIMITED, MESSAGING_ROLES: 'api' } as const;
const ON = { ...OFF, MESSAGING_WALLET_ENABLED: 'true' } as const;
/** Enough for every message of a run at this price. */
const BALANCE_MICROS = 1_000_000_000_000;
const PRICE_MICROS = 50;
const HARD_LIMIT = 1_000_000_000;

/** Durable accepts of a tenant who pays each message and has a hard limit, against one without either. */
export const acceptWallet: Scenario = {
  name: 'accept-wallet',
  databases: ['postgres', 'pglite'],
  run: (bench) =>
    onStage(bench, { name: 'wallet-off', settings: OFF }, ({ server: off }) =>
      onStage(bench, { name: 'wallet-on', settings: ON }, async (stage) => {
        const on = await stage.replaceServer(ON, () => fund(stage));
        return measure(bench, on, off);
      }),
    ),
};

async function fund({ databaseUrl, dataDir }: Stage): Promise<void> {
  const database = await openDatabase({ databaseUrl, dataDir });
  await database.query(
    `insert into wallets (tenant_id, available_micros, held_micros, updated_ms) select tenant_id, $1, 0, 0 from tenants`,
    [BALANCE_MICROS],
  );
  await database.query(
    `insert into wallet_prices (category, region, effective_from_ms, unit_price_micros)
    select c, '', 0, $1 from unnest(array['marketing', 'utility', 'authentication', 'service']) as c
    on conflict (category, region, effective_from_ms) do update set unit_price_micros = $1`,
    [PRICE_MICROS],
  );
  await database.query(`update plans set fair_use_messages = $1, fair_use_enforcement = 'hard'`, [HARD_LIMIT]);
  await database.close();
}

async function measure(bench: Bench, on: Server, off: Server): Promise<readonly Figure[]> {
  const job =
    ({ url }: Server) =>
    (durationMs: number): LoadJob => {
      const request = { kind: 'send', path: '/v1/messages', recipients: RECIPIENTS, seed: bench.seed } as const;
      return { origin: url, key: API_KEY, connections: CONNECTIONS, durationMs, ratePerSecond: null, request };
    };
  const pairs = await alternate(bench, {
    one: { job: job(on), program: on, warmUpRequests: WARM_UP_REQUESTS },
    other: { job: job(off), program: off, warmUpRequests: WARM_UP_REQUESTS },
  });
  return compared(bench, pairs, {
    name: 'durable accept with wallet and hard limit ÷ without',
    limit: atLeast(WANTED_RATIO),
    status: 202,
    detail: { connections: CONNECTIONS, priceMicros: PRICE_MICROS },
  });
}
