import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';

/*
 * The rows of a message and nothing else: what the database would do if every step were one plain statement for a batch. The rows are those of
 * messages that the service has sent, with other ids.
 */

/** As many messages as the service writes together when it is busy. */
const BATCH = 64;
type Row = Readonly<Record<string, string | null>>;

interface Writing {
  readonly client: pg.Client;
  readonly samples: Samples;
  /** Nobody knows it, so that no process takes its rows for work. */
  readonly tenantId: string;
}

interface Samples {
  readonly message: Row;
  readonly page: Row;
  readonly callback: Row;
}

const MESSAGE = 'outbound_messages';
/** What a message has from the start; the rest comes with its updates. */
const ACCEPTED = [
  ...['type', 'to_phone', 'phone_number_id', 'content', 'priority', 'expires_ms'],
  ...['created_ms', 'updated_ms', 'contact_id', 'conversation_id', 'author_kind', 'author_id'],
];
const QUEUED = ['phone_number_id', 'to_phone', 'priority', 'expires_ms'];
/** Sent; sent and delivered as the network reports it; read. */
const UPDATES = [
  ['status', 'attempts', 'network_message_id', 'accepted_ms', 'updated_ms'],
  ['sent_ms', 'sent_learned_ms', 'delivered_ms', 'delivered_learned_ms', 'pricing', 'updated_ms'],
  ['read_ms', 'read_learned_ms', 'news', 'updated_ms'],
] as const;

/** Writes plain rows over a connection of its own, so that each statement is planned for tables as they are now. */
export interface PlainRows {
  /**
   * Writes the rows of so many messages, as the service does in its order: message and queue row, claim, settling and three updates, callbacks,
   * a page of events for each batch.
   */
  write(messages: number): Promise<void>;
  close(): Promise<void>;
}

/** @throws Error when the service has sent nothing yet */
export async function openPlainRows(databaseUrl: string): Promise<PlainRows> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const samples = await readSamples(client);
    return {
      write: async (messages) => {
        const writing = { client, samples, tenantId: randomUUID() };
        for (let done = 0; done < messages; done += BATCH) await writeBatch(writing, done);
      },
      close: () => client.end(),
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}

async function readSamples(client: pg.Client): Promise<Samples> {
  return {
    message: await readSample(client, MESSAGE, 'read_ms is not null'),
    page: await readSample(client, 'event_pages', 'message_ids is not null'),
    callback: await readSample(client, 'callbacks', 'cardinality(bodies) > 1', { body: 'bodies[1]', bodies: 'null' }),
  };
}

/**
 * Every value as text, as it is written again.
 * @param instead expressions, by the names of columns that are not to be as they are
 */
async function readSample(
  client: pg.Client,
  table: string,
  where: string,
  instead: Readonly<Record<string, string>> = {},
): Promise<Row> {
  const columns = await client.query<{ name: string }>(
    'select attname::text as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped',
    [table],
  );
  const texts = columns.rows.map(({ name }) => `(${instead[name] ?? name})::text as ${name}`).join(', ');
  const [row] = (await client.query<Row>(`select ${texts} from ${table} where ${where} limit 1`)).rows;
  if (row === undefined) throw new Error(`The service has written no row of ${table} yet.`);
  return row;
}

async function writeBatch(writing: Writing, done: number): Promise<void> {
  const { client, samples } = writing;
  const ids = Array.from({ length: BATCH }, () => randomUUID());
  await client.query('begin');
  await accept(writing, ids, done);
  await client.query('commit');
  await overIds(writing, ids, `update send_queue t set state = 1, epoch = 1, attempts = 1 from ${IDS}`);
  for (const names of UPDATES) {
    const set = names.map((name) => `${name} = ${literal(samples.message[name])}`).join(', ');
    await overIds(writing, ids, `update ${MESSAGE} t set ${set} from ${IDS}`);
    if (names === UPDATES[0]) await overIds(writing, ids, `delete from send_queue t using ${IDS}`);
    const callbacks = ids.map(() => ({ ...samples.callback, callback_id: randomUUID() }));
    await insert(client, 'callbacks', callbacks);
  }
}

async function accept({ client, samples, tenantId }: Writing, ids: readonly string[], done: number): Promise<void> {
  const { message } = samples;
  const rows = ids.map((id) => ({ tenant_id: tenantId, message_id: id }));
  const rest = Object.fromEntries(ACCEPTED.map((name) => [name, message[name] ?? null]));
  const queue = Object.fromEntries(QUEUED.map((name) => [name, message[name] ?? null]));
  const page = { ...samples.page, tenant_id: tenantId, first_seq: `${done + 1}`, last_seq: `${done + BATCH}` };
  await insert(
    client,
    MESSAGE,
    rows.map((row) => ({ ...rest, ...row })),
  );
  await insert(
    client,
    'send_queue',
    rows.map((row) => ({ ...queue, ...row, due_ms: message.created_ms ?? null })),
  );
  await insert(client, 'event_pages', [
    { ...page, message_ids: `{${ids.join(',')}}`, news: null, at_ms: null, sums: null },
  ]);
}

function literal(value: string | null | undefined): string {
  return value === null || value === undefined ? 'null' : pg.escapeLiteral(value);
}

/** One statement with the values of all rows, planned once for each table. */
async function insert(client: pg.Client, table: string, rows: readonly Row[]): Promise<void> {
  const names = Object.keys(rows[0] ?? {});
  const places = (row: number) => names.map((_, column) => `$${row * names.length + column + 1}`).join(', ');
  const lines = rows.map((_, row) => `(${places(row)})`).join(', ');
  const values = rows.flatMap((row) => names.map((name) => row[name] ?? null));
  const text = `insert into ${table} (${names.join(', ')}) values ${lines}`;
  await client.query({ name: `plain_${table}`, text, values });
}

/**
 * Each row by its whole key. With the tenant as a value of its own the planner, which has never heard of it, expects one row of it, and walks all of
 * them for each batch.
 */
const IDS = 'unnest($1::uuid[], $2::uuid[]) u (tenant_id, id) where t.tenant_id = u.tenant_id and t.message_id = u.id';

async function overIds({ client, tenantId }: Writing, ids: readonly string[], text: string): Promise<void> {
  const name = `plain_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
  await client.query({ name, text, values: [ids.map(() => tenantId), ids] });
}
