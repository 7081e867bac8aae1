import type { PhoneNumberId, TenantId } from '#core/ids';
import { queueState } from '#core/queue-state';
import { type SqlRunner, statement } from '#database/database';
import { firstRow } from '#database/rows';

const DEPTH = statement('queue_depth')`
select count(*)::int as waiting from (
  select 1 from send_queue
  where tenant_id = $1 and phone_number_id = $2 and state = ${queueState.ready} and priority <= $3
  limit $4
) q`;

export interface DepthQuery {
  readonly tenantId: TenantId;
  readonly phoneNumberId: PhoneNumberId;
  /** Rank of the priority: messages of this rank and before it count. */
  readonly priority: number;
  /** Counted no further. */
  readonly limit: number;
}

/** How many messages wait in front of a new one of this priority. */
export async function countWaiting(
  db: SqlRunner,
  { tenantId, phoneNumberId, priority, limit }: DepthQuery,
): Promise<number> {
  const values = [tenantId, phoneNumberId, priority, limit];
  return (await firstRow(db.run<{ waiting: number }>(DEPTH, values)))?.waiting ?? 0;
}
