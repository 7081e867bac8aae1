import type { MessageId, TenantId } from '#core/ids';
import { columnsOf } from '#database/arrays';
import { type SqlRunner, statement } from '#database/database';

const MESSAGE_TRACES = statement('message_traces')`
select m.message_id, m.trace_parent
from unnest($1::uuid[], $2::uuid[]) as t (tenant_id, message_id)
join outbound_messages m on m.tenant_id = t.tenant_id and m.message_id = t.message_id
where m.trace_parent is not null`;

/** A message of a tenant. */
export interface MessageKey {
  readonly tenantId: TenantId;
  readonly messageId: MessageId;
}

/** The steps in which messages were accepted, as "traceparent", by message; without those that have none. */
export async function readTraceParents(
  db: SqlRunner,
  keys: readonly MessageKey[],
): Promise<ReadonlyMap<string, string>> {
  const columns = columnsOf(keys, 'tenantId', 'messageId');
  const { rows } = await db.run<{ messageId: string; traceParent: string }>(MESSAGE_TRACES, columns);
  return new Map(rows.map(({ messageId, traceParent }) => [messageId, traceParent]));
}
