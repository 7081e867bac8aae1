/**
 * Takes the next numbers of tenants, the part of a statement that others of these tenants wait for from then on: heads are taken in
 * the order of tenants, so that transactions that share some wait for each other instead of deadlocking.
 * @param told part of the statement with `tenant_id` and, as `events`, how many numbers it takes
 */
export function takingNumbersSql(told: string): string {
  return `
  insert into event_heads (tenant_id, last_seq) select tenant_id, events from ${told} order by tenant_id
  on conflict (tenant_id) do update set last_seq = event_heads.last_seq + excluded.last_seq
  returning tenant_id, last_seq`;
}
