import { camelName } from '#database/camel-case';
import { type SqlRunner, statement } from '#database/database';
import { MEET_WITHIN_MS } from '#inbound/store/parked-changes';
import { UNPARK_WITHIN_MS } from '#messages/store/status-batch';

/**
 * Where rows stand while there is work of a kind at `$1`, in milliseconds. A condition may hold without need, which costs a needless
 * look; it must hold whenever the worker would find something.
 */
const WORK = {
  campaign: 'campaigns where due_ms <= $1',
  upload_handle: 'resumable_uploads where due_ms <= $1',
  media_fetch: 'inbound_media where due_ms <= $1',
  contact_import: "imports where finished_ms is null and leased_until_ms <= $1 and kind = 'contacts'",
  bulk_change: 'bulk_changes where finished_ms is null and leased_until_ms <= $1',
  network_block: 'network_blocks where due_ms <= $1',
  recipient_import: "imports where finished_ms is null and leased_until_ms <= $1 and kind = 'recipients'",
  callback: 'callback_queue',
  parked_status: `parked_statuses where parked_ms >= $1::bigint - ${UNPARK_WITHIN_MS}`,
  parked_change: `parked_changes where parked_ms >= $1::bigint - ${MEET_WITHIN_MS}`,
  rule_message: 'rule_queue where due_ms <= $1',
  rule_timer: 'rule_timers where due_ms <= $1',
  snooze: 'conversations where snoozed_until_ms <= $1',
  conversation_link: 'conversations where links_due',
  tenant_deletion: 'deleted_tenants where tenant_id is not null and finished_ms is null',
  erasure: 'contact_erasures',
  audit_seal: 'audit_unsealed',
  agent_online: "agents where availability = 'online'",
  agent_expired: "agents where availability <> 'offline' and presence_until_ms <= $1",
  assignment_review: 'assignment_reviews',
  push: 'push_queue where due_ms <= $1',
} as const;

/** A kind of work that processes poll for. */
export type WorkKind = keyof typeof WORK;

export const WORK_KINDS = Object.keys(WORK) as readonly WorkKind[];

/** Spans tenants: workers take what is due, of any tenant. */
const DUE_WORK = statement('due_work')`
select ${WORK_KINDS.map((kind) => `exists (select from ${WORK[kind]}) as ${kind}`).join(',\n  ')}`;

/** @returns the kinds of which there may be work that is due */
export async function findDueWork(db: SqlRunner, nowMs: number): Promise<ReadonlySet<WorkKind>> {
  const [row] = (await db.run<Record<string, boolean>>(DUE_WORK, [nowMs])).rows;
  return new Set(WORK_KINDS.filter((kind) => row?.[camelName(kind)]));
}
