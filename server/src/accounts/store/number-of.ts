import { isUuid, type TenantId } from '#core/ids';
import { type SqlRunner, type Statement, statement } from '#database/database';

/** What has a sending number. */
export type NumberedThing = 'message' | 'conversation' | 'campaign';

const statements: Readonly<Record<NumberedThing, Statement>> = {
  message: statement('number_of_message')`
select phone_number_id from outbound_messages where tenant_id = $1 and message_id = $2
union all
select phone_number_id from inbound_messages where tenant_id = $1 and message_id = $2`,
  conversation: statement('number_of_conversation')`
select phone_number_id from conversations where tenant_id = $1 and conversation_id = $2`,
  campaign: statement('number_of_campaign')`
select phone_number_id from campaigns where tenant_id = $1 and campaign_id = $2`,
};

/** The sending number of something of a tenant; null when the tenant has no such thing, or it has no number. */
export async function findNumberOf(
  db: SqlRunner,
  thing: NumberedThing,
  tenantId: TenantId,
  id: string,
): Promise<string | null> {
  if (!isUuid(id)) return null;
  const { rows } = await db.run<{ readonly phoneNumberId: string | null }>(statements[thing], [tenantId, id]);
  return rows[0]?.phoneNumberId ?? null;
}
