import { request } from 'undici';
import { type OpenedDatabase, openDatabase } from '../harness/open-database.ts';
import { copyServer, type Programs } from '../harness/paths.ts';
import { freePorts } from '../harness/ports.ts';
import type { Postgres } from '../harness/postgres.ts';
import { API_KEY, type Server, startServer } from '../harness/server.ts';
import { type Simulator, startSimulator } from '../harness/simulator.ts';
import type { Workspace } from '../harness/workspace.ts';

/**
 * How long the server waits for a status before it repeats a send: longer than a killed server is away, after which the
 * network repeats the reports that it could not deliver.
 */
const UNKNOWN_WAIT_S = 30;

export interface CampaignStage {
  readonly simulator: Simulator;
  readonly database: OpenedDatabase;
  /** Calls the API. @throws Error on any answer but a success */
  call<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T>;
  /** kill -9 of the server, and a new one at the same place. */
  killAndRestart(): Promise<void>;
}

export interface StageDeps {
  readonly programs: Programs;
  readonly workspace: Workspace;
  readonly postgres: Postgres;
  /** Messages per second of the number. */
  readonly rate: number;
  readonly seed: number;
}

/** The built server on PostgreSQL and the simulated network, which now and then breaks off after it accepted. */
export async function openCampaignStage(parts: StageDeps): Promise<CampaignStage> {
  const { workspace, postgres, seed } = parts;
  const programs = copyServer(parts.programs, workspace.folder);
  const databaseUrl = await postgres.createDatabase('postrider_campaign_chaos');
  const [port = 0, simulatorPort = 0] = await freePorts(2);
  const simulator = await startSimulator({
    program: programs.simulator,
    port: simulatorPort,
    callbackUrl: `http://127.0.0.1:${port}/webhooks/meta`,
    ledgerFile: `${workspace.folder}/campaign-ledger.ndjson`,
    logFile: `${workspace.folder}/campaign-simulator.log`,
    numberRate: 0,
  });
  workspace.onClose(() => simulator.stop());
  await simulator.control('PUT', '/_sim/config', { sent_ms: 100, delivered_ms: 200, read_ms: 300 });
  const send = [
    { probability: 0.02, fault: 'accept_then_drop' },
    { probability: 0.02, fault: 'status5xx' },
  ];
  await simulator.control('PUT', '/_sim/chaos', { seed, steps: { send } });
  const start = () => launch(parts, { program: programs.server, port, databaseUrl, networkUrl: simulator.url });
  let server = await start();
  workspace.onClose(() => server.stop());
  const database = await openDatabase({ databaseUrl, dataDir: workspace.folder });
  workspace.onClose(() => database.close());
  return {
    simulator,
    database,
    call: (method, path, body) => callApi(server.url + path, method, body),
    killAndRestart: async () => {
      server.signal('SIGKILL');
      await server.exited;
      server = await start();
    },
  };
}

interface Place {
  readonly program: string;
  readonly port: number;
  readonly databaseUrl: string;
  readonly networkUrl: string;
}

function launch({ workspace, rate }: StageDeps, { program, port, databaseUrl, networkUrl }: Place): Promise<Server> {
  return startServer({
    program,
    port,
    metricsPort: 0,
    databaseUrl,
    dataDir: `${workspace.folder}/campaign`,
    networkUrl,
    logFile: `${workspace.folder}/campaign-server.log`,
    settings: {
      MESSAGING_NUMBER_RATE: String(rate),
      MESSAGING_PAIR_LIMIT: 'off',
      MESSAGING_UNKNOWN_WAIT_S: String(UNKNOWN_WAIT_S),
      MESSAGING_NETWORK_TIMEOUT_MS: '3000',
    },
  });
}

async function callApi<T>(url: string, method: 'GET' | 'POST', body?: object): Promise<T> {
  const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' };
  const sent =
    body === undefined
      ? { headers: { authorization: headers.authorization } }
      : { headers, body: JSON.stringify(body) };
  const answer = await request(url, { method, ...sent });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.statusCode} ${text.slice(0, 300)}`);
  return JSON.parse(text) as T;
}

/** The tenant's contacts, put into the tables by SQL. */
export async function addContacts(database: OpenedDatabase, count: number): Promise<void> {
  await database.query(
    `with made as (
      insert into contacts (tenant_id, contact_id, phone, name, country, folded, created_ms, updated_ms)
      select t.tenant_id, ('0190a6f2-8c20-7a10-8f00-' || lpad(to_hex(n), 12, '0'))::uuid, (447000000000 + n)::text,
        'Customer ' || n, 'GB', '{}', 1, 1
      from tenants t cross join generate_series(1, $1::integer) n
      returning tenant_id, contact_id, phone
    )
    insert into contact_identities (tenant_id, kind, value, contact_id) select tenant_id, 'phone', phone, contact_id from made`,
    [count],
  );
  await database.query('analyze contacts');
}
