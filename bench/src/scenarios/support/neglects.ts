import pg from 'pg';
import { pause } from '../../harness/pause.ts';
import { runSql } from '../../harness/postgres.ts';

/** A neglected transaction. @returns a function that ends it */
export type Neglect = (databaseUrl: string) => Promise<() => Promise<void>>;

const READERS = 4;
/** Each rests for a multiple of its scan, so that the four take one core and not all there are. */
const REST_MULTIPLE = 3;
/** Sequential scans: no index serves the filters, and a session that may use none does not look for one. */
const SCANS = [
  "select count(*) from outbound_messages where content ->> 'body' like '%nobody wrote this%'",
  'select count(*) from send_queue where attempts > 100',
  'select count(*) from event_pages where first_seq < last_seq - 100000',
  "select count(*) from webhook_deliveries where log @> '[{}]' and attempts > 100",
];
const NO_INDEXES = 'set enable_indexscan = off; set enable_indexonlyscan = off; set enable_bitmapscan = off';

/**
 * Two transactions that were begun and forgotten: one that has read under a snapshot, and one that holds a transaction
 * id. No row version that is replaced in the meantime can be removed.
 */
export const holdSnapshot: Neglect = async (databaseUrl) => {
  const [reader, writer] = [await connect(databaseUrl), await connect(databaseUrl)];
  await reader.query('begin isolation level repeatable read');
  await reader.query('select count(*) from tenants');
  await writer.query('begin');
  await writer.query('select pg_current_xact_id()');
  return async () => {
    await Promise.all([reader.end(), writer.end()]);
  };
};

/** Four sessions that scan the busy tables from one end to the other, again and again, with rests between. */
export const scanBusyTables: Neglect = async (databaseUrl) => {
  const clients = await Promise.all(Array.from({ length: READERS }, () => connect(databaseUrl)));
  let going = true;
  const scanning = clients.map(async (client, place) => {
    await client.query(NO_INDEXES);
    for (let turn = place; going; turn += 1) {
      const startedMs = performance.now();
      await client.query(SCANS[turn % SCANS.length] ?? '');
      await pause(REST_MULTIPLE * (performance.now() - startedMs));
    }
    await client.end();
  });
  return async () => {
    going = false;
    await Promise.all(scanning);
  };
};

/** Autovacuum leaves every table alone. It is put back to what the migrations of the service say. */
export const switchOffAutovacuum: Neglect = async (databaseUrl) => {
  await onEveryTable(databaseUrl, 'set (autovacuum_enabled = off, toast.autovacuum_enabled = off)');
  return () => onEveryTable(databaseUrl, 'reset (autovacuum_enabled, toast.autovacuum_enabled)');
};

function onEveryTable(databaseUrl: string, change: string): Promise<void> {
  return runSql(
    databaseUrl,
    `do $$ declare name text; begin
      for name in select tablename from pg_tables where schemaname = 'public' loop
        execute format('alter table %I ${change}', name);
      end loop;
    end $$`,
  );
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, application_name: 'bench' });
  await client.connect();
  return client;
}
