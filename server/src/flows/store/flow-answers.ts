import type { TenantId } from '#core/ids';
import type { ListWindow, Page } from '#core/paging';
import { type SqlRunner, statement } from '#database/database';
import { pageOf } from '#database/rows';
import type { Flow } from '#flows/domain/flow';
import type { FlowAnswer } from '#flows/domain/flow-answer';

/**
 * An answer names the message that it answers, and that names its flow: by id or by name in a message of its own, or by the button of a
 * template. A name means the flow of the account that the number is in.
 */
const FLOW_ANSWERS_LIST = statement('flow_answers_list')`
select m.message_id, o.message_id as sent_message_id, m.phone_number_id, m.from_phone, m.from_user_id, m.profile_name,
  m.contact_id, m.conversation_id, m.content, m.created_ms
from inbound_messages m
join outbound_messages o on o.tenant_id = m.tenant_id and o.message_id = m.reply_to
left join phone_numbers n on n.tenant_id = m.tenant_id and n.phone_number_id = m.phone_number_id
where m.tenant_id = $1 and m.type = 'interactive' and m.content ->> 'type' = 'nfm_reply'
  and ($2::uuid is null or m.message_id < $2::uuid)
  and (
    (o.type = 'interactive' and o.content #>> '{action,parameters,flow_id}' = $3)
    or (coalesce(n.network_account_id, $5) = $5 and (
      (o.type = 'interactive' and o.content #>> '{action,parameters,flow_name}' = $4)
      or (o.type = 'template' and exists (
        select 1 from templates t
        where t.tenant_id = o.tenant_id and t.network_account_id = $5
          and t.name = o.content ->> 'name' and t.language = o.content ->> 'language'
          and (t.components @> $6::text::jsonb or t.components @> $7::text::jsonb or t.components @> $8::text::jsonb)
      ))
    ))
  )
order by m.message_id desc
limit $9 offset $10`;

type WantedFlow = Pick<Flow, 'flowId' | 'name' | 'networkAccountId'>;

/** What customers have entered into a flow, newest first. It is read from the messages themselves, and goes with them. */
export async function listFlowAnswers(
  db: SqlRunner,
  tenantId: TenantId,
  { flowId, name, networkAccountId }: WantedFlow,
  { limit, offset, beforeId }: ListWindow,
): Promise<Page<FlowAnswer>> {
  // The network writes ids of flows in templates as numbers too.
  const buttons = [{ flow_id: flowId }, { flow_id: Number(flowId) }, { flow_name: name }];
  const { rows } = await db.run<FlowAnswer>(FLOW_ANSWERS_LIST, [
    tenantId,
    beforeId,
    flowId,
    name,
    networkAccountId,
    ...buttons.map((button) => JSON.stringify([{ buttons: [button] }])),
    limit + 1,
    offset,
  ]);
  return pageOf(rows, limit);
}
