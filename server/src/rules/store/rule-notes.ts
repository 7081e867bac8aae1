import type { ConversationId, NoteId, RuleId, TenantId } from '#core/ids';
import { statement, type Transaction } from '#database/database';

const RULE_NOTE_INSERT = statement('rule_note_insert', { insertsOnly: true })`
insert into conversation_notes (tenant_id, conversation_id, note_id, body, author_kind, author_id, created_ms)
values ($1, $2, $3, $4, 'rule', $5, $6)`;

/** A note that a rule writes into a conversation, for the agents. */
export interface RuleNote {
  readonly tenantId: TenantId;
  readonly conversationId: ConversationId;
  readonly noteId: NoteId;
  readonly body: string;
  readonly ruleId: RuleId;
  readonly nowMs: number;
}

export async function insertRuleNote(tx: Transaction, note: RuleNote): Promise<void> {
  await tx.run(RULE_NOTE_INSERT, [note.tenantId, note.conversationId, note.noteId, note.body, note.ruleId, note.nowMs]);
}
