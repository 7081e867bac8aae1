import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { ask } from '../harness/ask.ts';
import { API_KEY, type Server } from '../harness/server.ts';
import { type Stage, UNLIMITED } from '../harness/stage.ts';
import { Connection } from '../load/connection.ts';
import { onStage, type Scenario } from '../scenario.ts';
import { acceptBeside, type Trouble } from './support/accept-callers.ts';
import { type SeededTenant, seedTenants } from './support/seed-tenants.ts';

const OTHERS = 10;
/** Posts of the tenant whose row is locked, per second. */
const POSTS_PER_SECOND = 50;
/** At most so many wait for their answer concurrently, as with a caller that has so many connections. */
const MOST_WAITING = 64;
const MESSAGE = { to: '15553000000', body: 'Your code is 471 100.' };
const SETTINGS = { ...UNLIMITED, MESSAGING_ROLES: 'api' } as const;

/**
 * How long tenants wait for a 202 while another session locks rows that every accept of another tenant needs, and that
 * tenant keeps posting.
 */
export const lockedRow: Scenario = {
  name: 'locked-row',
  databases: ['postgres'],
  run: (bench) =>
    onStage(bench, { name: 'locked-row', settings: SETTINGS }, async (stage) => {
      let tenants: readonly SeededTenant[] = [];
      const server = await stage.replaceServer(SETTINGS, async () => {
        tenants = await seedTenants(stage, { count: OTHERS, nowMs: Date.now() });
      });
      // The row is made with the tenant's first message.
      await ask({ origin: server.url, method: 'POST', path: '/v1/messages', body: MESSAGE });
      const trouble = locking(stage, server);
      return [await acceptBeside(bench, { server, tenants, trouble, name: "another tenant's locked row" })];
    }),
};

function locking({ databaseUrl }: Stage, server: Server): Trouble {
  return async () => {
    const unlock = await lock(databaseUrl ?? '');
    const stop = keepPosting(server);
    return async () => {
      await unlock();
      await stop();
    };
  };
}

/** Locks the rows of the tenant of the bootstrap. @returns what gives them back */
async function lock(connectionString: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query('begin');
  const first = '(select tenant_id from tenants order by created_ms, tenant_id limit 1)';
  const { rowCount } = await client.query(`select 1 from event_heads where tenant_id = ${first} for update`);
  if (rowCount !== 1) throw new Error('The tenant has no row to lock.');
  return async () => {
    await client.query('rollback');
    await client.end();
  };
}

/** Posts for the tenant of the bootstrap, ignoring the answers. @returns a function that stops it */
function keepPosting({ url }: Server): () => Promise<void> {
  const connections = Array.from({ length: MOST_WAITING }, () => new Connection(url));
  const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' };
  const body = JSON.stringify(MESSAGE);
  const free = [...connections];
  let going = true;
  const run = async (): Promise<void> => {
    while (going) {
      const connection = free.pop();
      connection?.ask({ method: 'POST', path: '/v1/messages', headers, body }, () => free.push(connection));
      await wait(1000 / POSTS_PER_SECOND);
    }
  };
  const posting = run();
  return async () => {
    going = false;
    await posting;
    await Promise.all(connections.map((connection) => connection.close()));
  };
}
