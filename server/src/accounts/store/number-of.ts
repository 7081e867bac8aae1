import { isUuid, type TenantId } from '#core/ids';
import type { SqlRunner, Statement } from '#database/database';

/** What has a sending number. */
export type NumberedThing = 'message' | 'conversation' | 'campaign';

const statements: Readonly<Record<NumberedThing, Statement>> = {
  message: {
    name: 'number_of_message',
    text: `
select phone_number_id from outbound_messages where tenant_id = $1 and message_id = $2
union all
select phone_number_id from inbound_messages where tenant_id = $1 and message_id = $2`,
  },
  conversation: {
    name: 'number_of_conversation',
    text: 'select phone_number_id from conversations where tenant_id = $1 and conversation_id = $2',
  },
  campaign: {
    name: 'number_of_campaign',
    text: 'select phone_number_id from campaigns where tenant_id = $1 and campaign_id = $2',
  },
};

/** The sending number of something of a tenant; null when the tenant has no such thing, or it has no number. */
export async function findNumberOf(
  db: SqlRunner,
  thing: NumberedThing,
  tenantId: TenantId,
  id: string,
): Promise<string | null> {
  if (!isUuid(id)) return null;
  const { rows } = await db.run<{ readonly phone_number_id: string | null }>(statements[thing], [tenantId, id]);
  return rows[0]?.phone_number_id ?? null;
}
