import type { MessageId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { type SqlRunner, statement } from '#database/database';
import { firstRow } from '#database/rows';
import type { EvaluatedMessage } from '#rules/domain/facts';

const FACTS = `
select i.message_id, i.type, i.body, i.content, i.from_phone, i.sender, i.phone_number_id, i.contact_id, i.conversation_id,
  i.created_ms, i.referral, case when c.contact_id is not null then json_build_object(
    'name', c.name, 'profileName', c.profile_name, 'phone', c.phone, 'externalId', c.external_id, 'country', c.country,
    'language', c.language, 'status', c.status, 'attributes', c.attributes, 'tags', c.tags,
    'consent', json_build_object('marketing', c.marketing), 'lastInboundMs', c.last_inbound_ms, 'createdMs', c.created_ms
  ) end as contact, json_build_object(
    'status', v.status, 'tags', coalesce(v.tags, '{}'), 'priority', v.priority, 'teamId', v.team_id,
    'assigneeId', v.assignee_id, 'handledBy', v.handled_by
  ) as conversation,
  not exists (
    select 1 from inbound_messages o
    where o.tenant_id = i.tenant_id and o.sender = i.sender and o.message_id < i.message_id and o.opens_window
  ) as is_first,
  exists (
    select 1 from phone_numbers n where n.tenant_id = i.tenant_id and n.display_phone = i.from_phone
  ) as is_from_own_number
from inbound_messages i
left join contacts c on c.tenant_id = i.tenant_id and c.contact_id = i.contact_id
left join conversations v on v.tenant_id = i.tenant_id and v.conversation_id = i.conversation_id`;

const RULE_FACTS_FIND = statement('rule_facts_find')`${FACTS}
where i.tenant_id = $1 and i.message_id = $2`;

const PAGE = statement('rule_facts_page')`
select f.*, d.facts as decided_facts, d.opened, d.matched_rules, d.ignored
from (${FACTS}
  where i.tenant_id = $1 and i.message_id > $2 and i.message_id < $3
  order by i.message_id
  limit $4
) f
left join rule_decisions d on d.tenant_id = $1 and d.decision_id = f.message_id
order by f.message_id`;

/** What rules judge a message by, as it is now; null when the message is not there. */
export async function findEvaluatedMessage(
  db: SqlRunner,
  tenantId: TenantId,
  messageId: MessageId,
): Promise<EvaluatedMessage | null> {
  return firstRow(db.run<EvaluatedMessage>(RULE_FACTS_FIND, [tenantId, messageId]));
}

/** A message of the past, with what was decided about it at its time. */
export interface PastMessage {
  readonly message: EvaluatedMessage;
  /** Null: no rule was switched on when it came. */
  readonly decided: DecidedBefore | null;
}

interface DecidedBefore {
  readonly facts: JsonObject;
  readonly opened: boolean;
  readonly matchedRules: readonly string[];
  readonly ignored: string | null;
}

/** Messages between two ids, oldest first. */
export async function listPastMessages(
  db: SqlRunner,
  span: { readonly tenantId: TenantId; readonly afterId: string; readonly beforeId: string; readonly limit: number },
): Promise<readonly PastMessage[]> {
  type Row = EvaluatedMessage & DecidedBefore & { readonly decidedFacts: JsonObject | null };
  const { rows } = await db.run<Row>(PAGE, [span.tenantId, span.afterId, span.beforeId, span.limit]);
  return rows.map(({ decidedFacts: facts, opened, matchedRules, ignored, ...message }) => {
    return { message, decided: facts && { facts, opened, matchedRules, ignored } };
  });
}
