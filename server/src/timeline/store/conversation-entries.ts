import type { Note } from '#conversations/store/conversation-thread';
import type { ConversationEvent } from '#conversations/store/conversations';
import type { ContactId, TenantId } from '#core/ids';
import type { Page } from '#core/paging';
import { type SqlRunner, statement } from '#database/database';
import { pageOf } from '#database/rows';
import { DECISIONS, type DecisionRow, type DecisionWithReplies, withReplies } from '#rules/store/rule-decisions';

/** A part of a contact's timeline: so many entries below an ID, newest first. */
export interface Part {
  readonly tenantId: TenantId;
  readonly contactId: ContactId;
  readonly beforeId: string | null;
  readonly limit: number;
}

/** An array, not a join: found once, the conversations lead into the index of what belongs to them. */
const OF_CONTACT = `any(array(select c.conversation_id from conversations c where c.tenant_id = $1 and c.contact_id = $2))`;

const TIMELINE_NOTES = statement('timeline_notes')`
select n.tenant_id, n.conversation_id, n.note_id, n.body, n.mentions,
  json_build_object('kind', n.author_kind, 'id', n.author_id) as author, n.created_ms
from conversation_notes n
where n.tenant_id = $1 and n.conversation_id = ${OF_CONTACT} and ($3::uuid is null or n.note_id < $3::uuid)
order by n.note_id desc limit $4`;

/** The notes in all conversations of a contact. */
export async function listContactNotes(db: SqlRunner, part: Part): Promise<Page<Note>> {
  return pageOf((await db.run<Note>(TIMELINE_NOTES, parametersOf(part))).rows, part.limit);
}

const TIMELINE_CHANGES = statement('timeline_changes')`
select e.tenant_id, e.conversation_id, e.event_id, e.at_ms,
  json_build_object('kind', e.actor_kind, 'id', e.actor_id) as actor, e.cause, e.changes
from conversation_events e
where e.tenant_id = $1 and e.conversation_id = ${OF_CONTACT} and ($3::uuid is null or e.event_id < $3::uuid)
order by e.event_id desc limit $4`;

/** What was changed about all conversations of a contact. */
export async function listContactChanges(db: SqlRunner, part: Part): Promise<Page<ConversationEvent>> {
  return pageOf((await db.run<ConversationEvent>(TIMELINE_CHANGES, parametersOf(part))).rows, part.limit);
}

const TIMELINE_DECISIONS = statement('timeline_decisions')`
${DECISIONS}
where d.tenant_id = $1 and d.conversation_id = ${OF_CONTACT} and d.matched_rules <> '{}'
  and ($3::uuid is null or d.decision_id < $3::uuid)
order by d.decision_id desc limit $4`;

/** What rules decided in all conversations of a contact, where at least one matched. */
export async function listContactDecisions(db: SqlRunner, part: Part): Promise<Page<DecisionWithReplies>> {
  const { rows } = await db.run<DecisionRow>(TIMELINE_DECISIONS, parametersOf(part));
  return pageOf(rows.map(withReplies), part.limit);
}

function parametersOf({ tenantId, contactId, beforeId, limit }: Part) {
  return [tenantId, contactId, beforeId, limit + 1];
}
