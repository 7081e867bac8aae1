import type { OpenedDatabase, Rows } from '../harness/open-database.ts';
import type { DatabaseEvidence, MessageRow, ReportedStatus } from './evidence.ts';

/** Reads everything that the audit wants to know from the database. */
export async function readEvidence(database: OpenedDatabase): Promise<DatabaseEvidence> {
  const messages = await database.query(MESSAGES);
  const networkIds = await database.query(NETWORK_IDS);
  const callbacks = await database.query(await callbacksIn(database));
  const inbound = await database.query('select network_message_id from inbound_messages');
  const conversations = await database.query(DOUBLE_CONVERSATIONS);
  return {
    messages: messages.map(toMessage),
    knownNetworkIds: new Set(networkIds.map((row) => String(row.network_message_id))),
    reported: reportedStatuses(callbacks),
    inbound: inbound.map((row) => String(row.network_message_id)),
    doubleConversations: conversations.map((row) => ({
      contactId: String(row.contact_id),
      phoneNumberId: String(row.phone_number_id),
      count: Number(row.count),
    })),
    remaining: await readRemaining(database),
  };
}

/** Rows written before pages existed hold one callback each, in `body`. */
const CALLBACKS = 'select received_ms, unnest(coalesce(bodies, array[body])) as body from callbacks';

/** Also those that came while the tenant was in another cell. */
async function callbacksIn(database: OpenedDatabase): Promise<string> {
  const [row] = await database.query("select to_regclass('cell_b.callbacks') is not null as there");
  const all =
    row?.there === true ? `${CALLBACKS} union all ${CALLBACKS.replace('callbacks', 'cell_b.callbacks')}` : CALLBACKS;
  return `${all} order by received_ms`;
}

/** What still waits: sends owed and callbacks not interpreted. */
export async function readRemaining(database: OpenedDatabase): Promise<DatabaseEvidence['remaining']> {
  const [row] = await database.query(REMAINING);
  const { sends, callbacks, example } = row ?? {};
  return {
    sendQueue: Number(sends ?? 0),
    callbackQueue: Number(callbacks ?? 0),
    example: typeof example === 'string' ? example : null,
  };
}

/** With the queue row of one send, so that a report says what it waited for. */
const REMAINING = `
select (select count(*) from send_queue)::int as sends, (select count(*) from callback_queue)::int as callbacks,
  (select row_to_json(q)::text from send_queue q order by q.due_ms, q.message_id limit 1) as example`;

const MESSAGES = `
select message_id, client_ref, status, attempts, error ->> 'code' as error_code, possible_duplicate, history is not null as has_history,
  sent_ms is not null as sent_known, delivered_ms is not null as delivered_known, read_ms is not null as read_known,
  (select string_agg(h ->> 'atMs', ',' order by (h ->> 'atMs')::bigint) from jsonb_array_elements(history) h
    where h ->> 'event' = 'resend_after_unknown') as resends
from outbound_messages`;

/** The second id of a message that was sent twice is in its trace. */
const NETWORK_IDS = `
select network_message_id from outbound_messages where network_message_id is not null
union
select h -> 'data' ->> 'network_message_id' from outbound_messages m cross join jsonb_array_elements(m.history) h
where h -> 'data' ->> 'network_message_id' is not null`;

const DOUBLE_CONVERSATIONS = `
select contact_id, phone_number_id, count(*)::int as count from conversations where status <> 'resolved'
group by tenant_id, contact_id, phone_number_id having count(*) > 1`;

function toMessage(row: Rows[number]): MessageRow {
  return {
    messageId: String(row.message_id),
    clientRef: row.client_ref === null ? null : String(row.client_ref),
    status: String(row.status) as MessageRow['status'],
    attempts: Number(row.attempts),
    errorCode: row.error_code === null ? null : String(row.error_code),
    possibleDuplicate: row.possible_duplicate === true,
    resendsDecidedMs: String(row.resends ?? '')
      .split(',')
      .filter(Boolean)
      .map(Number),
    hasHistory: row.has_history === true,
    sentKnown: row.sent_known === true,
    deliveredKnown: row.delivered_known === true,
    readKnown: row.read_known === true,
  };
}

interface Callback {
  readonly entry: readonly {
    readonly changes: readonly {
      readonly value: { readonly statuses?: readonly { readonly id: string; readonly status: string }[] };
    }[];
  }[];
}

/** The statuses in the raw callbacks: what was reported to us, whether or not it was understood. */
function reportedStatuses(callbacks: Rows): readonly ReportedStatus[] {
  return callbacks.flatMap((row) => {
    const { entry } = JSON.parse(String(row.body)) as Callback;
    const statuses = entry.flatMap(({ changes }) => changes.flatMap(({ value }) => value.statuses ?? []));
    return statuses.map(({ id, status }) => ({ networkId: id, status, receivedMs: Number(row.received_ms) }));
  });
}
