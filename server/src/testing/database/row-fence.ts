import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import type { Kysely, PostgresPool } from 'kysely';
import type { TenantId } from '#core/ids';
import { makeKysely } from '#database/camel-case';
import type { Database, SqlRunner, Statement, Transaction } from '#database/database';
import type { Schema } from '#database/schema';

/*
 * Row level security around every table with a `tenant_id`, bound to the tenant of each request: whatever a statement forgets to name,
 * it meets no row of another tenant. Tests alone pay for it (docs/decisions/0052).
 */

/** Statements of requests run with its rights. Every server has it, and it may do nothing with tables unless told. */
const ROLE = 'pg_signal_backend';
/** Names the tenant of a request; anything else: the request is not fenced. */
export const FENCE_HEADER = 'x-test-fence';
const ON_REQUEST = 'http.server.request.start';

const ENTER: Statement = { name: 'test_fence_enter', text: `set local role ${ROLE}` };
const TEST_FENCE_LEAVE: Statement = { name: 'test_fence_leave', text: 'reset role' };
const SET_TENANT: Statement = { name: 'test_fence_tenant', text: "select set_config('fence.tenant', $1, true)" };

const TABLES: Statement = {
  name: 'test_fence_tables',
  text: `
select c.table_name::text as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
where c.column_name = 'tenant_id' and c.table_schema = 'public' and t.table_type = 'BASE TABLE' order by 1`,
};

export interface RowFence {
  /** The tables within it. */
  readonly tables: readonly string[];
  /** What ran within it, by name. */
  readonly within: ReadonlyMap<string, Statement>;
  /** What ran outside of it for a request of a tenant: statements that serve several. */
  readonly outside: ReadonlySet<string>;
  /** Runs as a request of this tenant does; null: without a tenant. */
  as<T>(tenantId: TenantId | null, work: (tx: Transaction) => Promise<T>): Promise<T>;
  remove(): void;
}

/**
 * Puts the fence into a database, and around all that requests with the header do on it.
 * @param across names of statements over several tenants, which run outside of it
 * @param readable tables without tenants that requests may read
 */
export async function putFence(
  db: Database,
  { across, readable }: { readonly across: ReadonlySet<string>; readonly readable: readonly string[] },
): Promise<RowFence> {
  const tables = (await db.run<{ name: string }>(TABLES, [])).rows.map(({ name }) => name);
  // A table at a time: one who held several would meet the statements of a running service in the other order.
  for (const policies of [...tables.map(policiesOf), readable.map(grantOf)])
    await db.transaction(async (tx) => {
      for (const text of policies) await tx.run({ name: nameOf(text), text }, []);
    });
  const acting = new AsyncLocalStorage<TenantId | null>();
  const heard = (message: unknown): void => {
    const { request } = message as { readonly request: IncomingMessage };
    acting.enterWith((request.headers[FENCE_HEADER] as TenantId | undefined) ?? null);
  };
  subscribe(ON_REQUEST, heard);
  const fenced = fencing(db, { acting, across });
  return { tables, ...fenced, remove: () => void unsubscribe(ON_REQUEST, heard) };
}

function policiesOf(table: string): readonly string[] {
  const own = "tenant_id = current_setting('fence.tenant')::uuid";
  return [
    `alter table ${table} enable row level security`,
    `alter table ${table} force row level security`,
    `create policy fence on ${table} using (${own}) with check (${own})`,
    `grant select, insert, update, delete on ${table} to ${ROLE}`,
  ];
}

function grantOf(table: string): string {
  return `grant select on ${table} to ${ROLE}`;
}

interface Fencing {
  readonly acting: AsyncLocalStorage<TenantId | null>;
  readonly across: ReadonlySet<string>;
}

/** Everything holds the database by this object: its methods are replaced on it. */
function fencing(db: Database, { acting, across }: Fencing): Pick<RowFence, 'within' | 'outside' | 'as'> {
  const real = { run: db.run, transaction: db.transaction };
  const [within, outside] = [new Map<string, Statement>(), new Set<string>()];
  const recorded = (tx: Transaction): Transaction => ({
    atCommit: (command) => tx.atCommit(command),
    run: async (statement, parameters) => {
      if (!across.has(statement.name)) {
        within.set(statement.name, statement);
        return tx.run(statement, parameters);
      }
      outside.add(statement.name);
      await tx.run(TEST_FENCE_LEAVE, []);
      const result = await tx.run(statement, parameters);
      await tx.run(ENTER, []);
      // biome-ignore lint/suspicious/noExplicitAny: the rows are what the caller says they are
      return result as any;
    },
  });
  const as: RowFence['as'] = (tenantId, work) =>
    real.transaction(async (tx) => {
      await tx.run(ENTER, []);
      if (tenantId !== null) await tx.run(SET_TENANT, [tenantId]);
      return work(tx);
    });
  const run: SqlRunner['run'] = (statement, parameters) => {
    const tenantId = acting.getStore() ?? null;
    if (tenantId === null) return real.run(statement, parameters);
    if (!across.has(statement.name)) return as(tenantId, (tx) => recorded(tx).run(statement, parameters));
    outside.add(statement.name);
    return real.run(statement, parameters);
  };
  const transaction: Database['transaction'] = (work) => {
    const tenantId = acting.getStore() ?? null;
    return tenantId === null ? real.transaction(work) : as(tenantId, (tx) => work(recorded(tx)));
  };
  Object.assign(db, { run, transaction, kysely: kyselyOn(run) });
  return { within, outside, as };
}

function kyselyOn(run: SqlRunner['run']): Kysely<Schema> {
  const query = async (text: string, values: readonly unknown[]) => ({
    ...(await run({ name: nameOf(text), text }, values)),
    command: 'SELECT',
  });
  const pool = { connect: async () => ({ query, release: () => undefined }), end: async () => undefined };
  return makeKysely(pool as unknown as PostgresPool);
}

/** A statement without a name of its own. */
function nameOf(text: string): string {
  return `test ${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}
