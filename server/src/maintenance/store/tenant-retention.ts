import { idFloor, type TenantId } from '#core/ids';
import { type SqlRunner, type Statement, statement } from '#database/database';
import { firstRow } from '#database/rows';

/*
 * Removes what a tenant keeps for less time than the installation does, of one tenant at a time. Each statement walks a key of the
 * tenant from its oldest row on, and stops after a batch: however much there is, it takes the same time.
 */

/** Rows of one statement: short transactions, so that nothing else waits. */
export const RETENTION_BATCH = 1_000;
/** Pages, of up to 500 events. */
const PAGES = 200;

const TENANT_DELIVERIES = statement('tenant_retention_deliveries')`
delete from webhook_deliveries where tenant_id = $1 and delivery_id in (
    select delivery_id from webhook_deliveries
    where tenant_id = $1 and delivery_id < $2 and state <> 'pending' order by delivery_id limit ${RETENTION_BATCH})`;

/** Without those of which a reply is still to be sent. */
const TENANT_DECISIONS = statement('tenant_retention_decisions')`
with old as materialized (
  select d.decision_id from rule_decisions d
  where d.tenant_id = $1 and d.decision_id < $2 and not exists (
    select 1 from rule_replies r where r.tenant_id = $1 and r.decision_id = d.decision_id and r.state = 'pending')
  order by d.decision_id limit ${RETENTION_BATCH}
), replies as (
  delete from rule_replies r using old o where r.tenant_id = $1 and r.decision_id = o.decision_id
)
delete from rule_decisions d using old o where d.tenant_id = $1 and d.decision_id = o.decision_id`;

const BY_ID = { webhook_deliveries: TENANT_DELIVERIES, rule_decisions: TENANT_DECISIONS } as const satisfies Readonly<
  Record<string, Statement>
>;

/** @returns rows removed; call again while it is not 0 */
export async function removeOldOfTenant(
  db: SqlRunner,
  tenantId: TenantId,
  kind: keyof typeof BY_ID,
  beforeMs: number,
): Promise<number> {
  return (await db.run(BY_ID[kind], [tenantId, idFloor(beforeMs)])).rowCount;
}

/*
 * Reports, notifications, the search index, campaigns and webhooks follow the events, each at its own pace. An endpoint that is
 * disabled gets what is kept when it is enabled.
 */
const EVENTS_FOLLOWED = statement('tenant_retention_events_followed')`
select least(
  coalesce((select a.last_seq from analytics_cursors a where a.tenant_id = $1), 0),
  (select n.last_seq from notification_cursors n where n.tenant_id = $1),
  (select s.last_seq from search_cursors s where s.tenant_id = $1),
  (select min(c.event_seq) from campaigns c where c.tenant_id = $1 and c.started_ms is not null and c.due_ms is not null),
  (select min(l.taken_seq) from webhook_lanes l
    join webhook_endpoints e on e.tenant_id = $1 and e.endpoint_id = l.endpoint_id
    where l.tenant_id = $1 and e.disabled_reason is null),
  (select min(d.sequence) - 1 from webhook_deliveries d where d.tenant_id = $1 and d.state = 'pending')
) as sequence`;

/** Number of the last event that nobody inside the service needs any more. */
export async function lastFollowedEvent(db: SqlRunner, tenantId: TenantId): Promise<number> {
  const row = await firstRow(db.run<{ sequence: number }>(EVENTS_FOLLOWED, [tenantId]));
  return row?.sequence ?? 0;
}

/** The oldest pages are read by their key: their times have no index of the tenant's. */
const TENANT_EVENTS = statement('tenant_retention_events')`
with oldest as materialized (
  select last_seq, recorded_ms from event_pages where tenant_id = $1 order by last_seq limit ${PAGES}
)
delete from event_pages p using oldest o
where p.tenant_id = $1 and p.last_seq = o.last_seq and o.recorded_ms < $2 and o.last_seq <= $3`;

/** @param upTo number of the last event that may go. @returns pages removed; call again while it is not 0 */
export async function removeOldEventsOfTenant(
  db: SqlRunner,
  tenantId: TenantId,
  { beforeMs, upTo }: { readonly beforeMs: number; readonly upTo: number },
): Promise<number> {
  return (await db.run(TENANT_EVENTS, [tenantId, beforeMs, upTo])).rowCount;
}
