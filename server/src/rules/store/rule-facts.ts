import type { Contact } from '#contacts/domain/contact';
import type { ContactFacts } from '#contacts/domain/contact-fields';
import type { ContactId, ConversationId, MessageId, PhoneNumberId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { SqlRunner, Statement } from '#database/database';
import type { EvaluatedMessage } from '#rules/domain/facts';

interface FactsRow {
  readonly message_id: MessageId;
  readonly type: string;
  readonly body: string | null;
  readonly content: JsonObject;
  readonly from_phone: string | null;
  readonly phone_number_id: PhoneNumberId;
  readonly contact_id: ContactId;
  readonly conversation_id: ConversationId;
  readonly created_ms: number;
  readonly referral: JsonObject | null;
  readonly contact: ContactJson | null;
  readonly status: string | null;
  readonly tags: readonly string[] | null;
  readonly priority: string | null;
  readonly team_id: string | null;
  readonly assignee_id: string | null;
  readonly handled_by: string | null;
  readonly first_message: boolean;
  readonly from_own: boolean;
}

/** A contact as the statement below writes it. */
type ContactJson = Pick<Contact, 'name' | 'phone' | 'country' | 'language' | 'status' | 'attributes' | 'tags'> & {
  readonly profile_name: string | null;
  readonly external_id: string | null;
  readonly marketing: Contact['consent']['marketing'];
  readonly last_inbound_ms: number | null;
  readonly created_ms: number;
};

const FACTS = `
select i.message_id, i.type, i.body, i.content, i.from_phone, i.phone_number_id, i.contact_id, i.conversation_id,
  i.created_ms, i.referral, case when c.contact_id is not null then json_build_object(
    'name', c.name, 'profile_name', c.profile_name, 'phone', c.phone, 'external_id', c.external_id, 'country', c.country,
    'language', c.language, 'status', c.status, 'attributes', c.attributes, 'tags', c.tags, 'marketing', c.marketing,
    'last_inbound_ms', c.last_inbound_ms, 'created_ms', c.created_ms
  ) end as contact, v.status, v.tags, v.priority, v.team_id, v.assignee_id, v.handled_by,
  not exists (
    select 1 from inbound_messages o
    where o.tenant_id = i.tenant_id and o.sender = i.sender and o.message_id < i.message_id
  ) as first_message,
  exists (
    select 1 from phone_numbers n where n.tenant_id = i.tenant_id and n.display_phone = i.from_phone
  ) as from_own
from inbound_messages i
left join contacts c on c.tenant_id = i.tenant_id and c.contact_id = i.contact_id
left join conversations v on v.tenant_id = i.tenant_id and v.conversation_id = i.conversation_id`;

const RULE_FACTS_FIND: Statement = {
  name: 'rule_facts_find',
  text: `${FACTS}
where i.tenant_id = $1 and i.message_id = $2`,
};

const PAGE: Statement = {
  name: 'rule_facts_page',
  text: `
select f.*, d.facts as decided_facts, d.opened, d.matched_rules, d.ignored
from (${FACTS}
  where i.tenant_id = $1 and i.message_id > $2 and i.message_id < $3
  order by i.message_id
  limit $4
) f
left join rule_decisions d on d.tenant_id = $1 and d.decision_id = f.message_id
order by f.message_id`,
};

/** What rules judge a message by, as it is now; null when the message is not there. */
export async function findEvaluatedMessage(
  db: SqlRunner,
  tenantId: TenantId,
  messageId: MessageId,
): Promise<EvaluatedMessage | null> {
  const { rows } = await db.run<FactsRow>(RULE_FACTS_FIND, [tenantId, messageId]);
  return rows[0] ? toEvaluated(rows[0]) : null;
}

/** A message of the past, with what was decided about it at its time. */
export interface PastMessage {
  readonly message: EvaluatedMessage;
  /** Null: no rule was switched on when it came. */
  readonly decided: {
    readonly facts: JsonObject;
    readonly opened: boolean;
    readonly matchedRules: readonly string[];
    readonly ignored: string | null;
  } | null;
}

/** Messages between two ids, oldest first. */
export async function listPastMessages(
  db: SqlRunner,
  span: { readonly tenantId: TenantId; readonly afterId: string; readonly beforeId: string; readonly limit: number },
): Promise<readonly PastMessage[]> {
  const { rows } = await db.run<
    FactsRow & {
      readonly decided_facts: JsonObject | null;
      readonly opened: boolean | null;
      readonly matched_rules: readonly string[] | null;
      readonly ignored: string | null;
    }
  >(PAGE, [span.tenantId, span.afterId, span.beforeId, span.limit]);
  return rows.map((row) => ({
    message: toEvaluated(row),
    decided:
      row.decided_facts === null
        ? null
        : {
            facts: row.decided_facts,
            opened: row.opened ?? false,
            matchedRules: row.matched_rules ?? [],
            ignored: row.ignored,
          },
  }));
}

function toEvaluated(row: FactsRow): EvaluatedMessage {
  return {
    messageId: row.message_id,
    contactId: row.contact_id,
    conversationId: row.conversation_id,
    phoneNumberId: row.phone_number_id,
    fromPhone: row.from_phone,
    type: row.type,
    body: row.body,
    content: row.content,
    createdMs: row.created_ms,
    isFirst: row.first_message,
    isFromOwnNumber: row.from_own,
    referral: row.referral,
    contact: row.contact === null ? null : toContact(row.contact),
    conversation: {
      status: row.status,
      tags: row.tags ?? [],
      priority: row.priority,
      teamId: row.team_id,
      assigneeId: row.assignee_id,
      handledBy: row.handled_by,
    },
  };
}

function toContact(json: ContactJson): ContactFacts {
  const { profile_name, external_id, marketing, last_inbound_ms, created_ms, ...same } = json;
  return {
    ...same,
    profileName: profile_name,
    externalId: external_id,
    consent: { marketing },
    lastInboundMs: last_inbound_ms,
    createdMs: created_ms,
  };
}
