import type { TenantId } from '#core/ids';
import { type SqlRunner, statement, type Transaction } from '#database/database';

/** Of tenants without agents there is nobody to notify: what programs send costs nothing here. */
const BEHIND = statement('notification_behind')`
select h.tenant_id, coalesce(c.last_seq, 0) as after, h.last_seq as head from event_heads h
left join notification_cursors c on c.tenant_id = h.tenant_id
where h.last_seq > coalesce(c.last_seq, 0) and exists (select 1 from agents a where a.tenant_id = h.tenant_id)
limit $1`;

/** A tenant with events that were not followed yet. */
export interface NotificationPlace {
  readonly tenantId: TenantId;
  /** The last event that was followed. */
  readonly after: number;
  /** The newest event. */
  readonly head: number;
}

/** Over all tenants, joined on tenant_id. */
export async function findUnfollowed(db: SqlRunner, limit: number): Promise<readonly NotificationPlace[]> {
  return (await db.run<NotificationPlace>(BEHIND, [limit])).rows;
}

const MOVE = statement('notification_move_cursor')`
insert into notification_cursors (tenant_id, last_seq) values ($1, $2)
on conflict (tenant_id) do update set last_seq = excluded.last_seq where notification_cursors.last_seq = $3`;

/** Moves the cursor of a tenant. @returns false when another process has moved it since it was read */
export async function moveNotificationCursor(
  tx: Transaction,
  { tenantId, after }: Pick<NotificationPlace, 'tenantId' | 'after'>,
  to: number,
): Promise<boolean> {
  return (await tx.run(MOVE, [tenantId, to, after])).rowCount > 0;
}
