import type { ConversationKey } from '#conversations/domain/conversation';
import { type SqlRunner, statement, type Transaction } from '#database/database';

const ASK = statement('assignment_ask_review')`
insert into assignment_reviews (tenant_id, conversation_id, asked_ms) values ($1, $2, $3)
on conflict (tenant_id, conversation_id) do nothing`;

/** A conversation opened again and still has its agent: whether it stays is to be decided. */
export async function askForReview(tx: Transaction, review: ConversationKey, nowMs: number): Promise<void> {
  await tx.run(ASK, [review.tenantId, review.conversationId, nowMs]);
}

const ASSIGNMENT_CLAIM_REVIEWS = statement('assignment_claim_reviews')`
select r.tenant_id, r.conversation_id from assignment_reviews r
join conversations c on c.tenant_id = r.tenant_id and c.conversation_id = r.conversation_id
order by r.asked_ms, r.conversation_id limit $1 for update of r, c skip locked`;
const DONE = statement('assignment_review_done')`
delete from assignment_reviews where tenant_id = $1 and conversation_id = $2`;

const ANY = statement('assignment_any_review')`select tenant_id from assignment_reviews limit 1`;

/** Whether there is anything to review: nearly always not, and then there is no transaction to open. */
export async function isAnyReviewDue(db: SqlRunner): Promise<boolean> {
  return (await db.run(ANY, [])).rowCount > 0;
}

/**
 * The oldest reviews with their conversations, held until the transaction ends. What another transaction holds is left
 * to it. Spans all tenants: one loop looks after all of them.
 */
export async function claimReviews(tx: Transaction, limit: number): Promise<readonly ConversationKey[]> {
  return (await tx.run<ConversationKey>(ASSIGNMENT_CLAIM_REVIEWS, [limit])).rows;
}

export async function finishReview(tx: Transaction, { tenantId, conversationId }: ConversationKey): Promise<void> {
  await tx.run(DONE, [tenantId, conversationId]);
}
