import { createHash } from 'node:crypto';
import { retryDelayMs } from '#core/backoff';
import type { IdempotencyClaim } from '#core/caller/idempotency-claim';
import { ApiProblem } from '#core/errors';
import type { MessageId } from '#core/ids';
import type { Database } from '#database/database';
import { faultKind } from '#database/pg-errors';
import { reportRefused } from '#database/until-stored';
import { type MessageAcceptor, PLAIN_SEND, type SendRequest } from '#messages/actions/accept-message';
import { replyContent } from '#rules/domain/reply-content';
import { type ClaimedReply, claimReplies, postponeReply, type RuleReply, settleReply } from '#rules/store/rule-replies';
import type { Runtime } from '#runtime/runtime';
import { REPLY_LEASE_MS } from './execute-rule-actions.ts';

export interface ReplyDeps {
  readonly rt: Runtime;
  readonly db: Database;
  readonly acceptor: Pick<MessageAcceptor, 'accept'>;
}

/**
 * Later the answer is no longer awaited. Far below the day for which idempotency keys are kept: while a reply is tried,
 * its key is known.
 */
export const REPLY_LIFETIME_MS = 60 * 60_000;

/** Takes replies that their deciding process has not sent. */
export function claimDueReplies(rt: Runtime, db: Database, limit: number): Promise<readonly ClaimedReply[]> {
  const nowMs = rt.clock.now();
  return claimReplies(db, { nowMs, untilMs: nowMs + REPLY_LEASE_MS, limit });
}

/**
 * Sends a reply the way of `POST /v1/messages`, under an idempotency key that is its place in the decision: however often
 * this is repeated, killed or done by two processes, the customer gets one answer.
 * @param attempt counts from 1
 */
export async function sendRuleReply({ rt, db, acceptor }: ReplyDeps, reply: RuleReply, attempt: number): Promise<void> {
  const nowMs = rt.clock.now();
  if (nowMs > reply.createdMs + REPLY_LIFETIME_MS) {
    const error = { code: 'expired', message: 'The reply could not be sent within an hour.' };
    return settleReply(db, reply, { state: 'failed', error });
  }
  try {
    const { response } = await acceptor.accept(reply.tenantId, requestOf(reply), claimOf(reply));
    await settleReply(db, reply, { state: 'sent', messageId: response.id as MessageId });
  } catch (error) {
    if (faultKind(error) === 'row') return endReply({ rt, db }, reply, error);
    if (!(error instanceof ApiProblem)) throw error;
    if (!passes(error)) {
      return settleReply(db, reply, { state: 'failed', error: { code: error.code, message: error.message } });
    }
    const delayMs = retryDelayMs({ retryClass: 'transient', attempt: Math.min(attempt, 100), random: rt.random });
    await postponeReply(db, reply, nowMs + (delayMs ?? REPLY_LEASE_MS));
  }
}

/** A reply that the database refuses for what it holds ends, so that it does not come up for ever. */
async function endReply({ rt, db }: Pick<ReplyDeps, 'rt' | 'db'>, reply: RuleReply, error: unknown): Promise<void> {
  const { tenantId, ruleId, decisionId } = reply;
  reportRefused(rt, { what: 'reply', ids: { tenantId, ruleId, decisionId } }, error);
  await settleReply(db, reply, {
    state: 'failed',
    error: { code: 'internal_error', message: 'It could not be stored.' },
  });
}

/** Whether a later try can help. */
function passes({ code, status }: ApiProblem): boolean {
  return status >= 500 || code === 'request_in_progress';
}

/** `rule:{rule}:{decision}:{action}`, behind a blank: no caller of the API can have such a key. */
function claimOf({ ruleId, decisionId, action }: RuleReply): IdempotencyClaim {
  const hash = createHash('sha256').update(` rule:${ruleId}:${decisionId}:${action}`).digest('base64');
  return { keyHash: hash, fingerprint: hash };
}

function requestOf({ to, phoneNumberId, content, ruleId }: RuleReply): SendRequest {
  const author = { kind: 'rule', id: ruleId } as const;
  return { ...PLAIN_SEND, to, content: replyContent(content), phoneNumberId, author };
}
