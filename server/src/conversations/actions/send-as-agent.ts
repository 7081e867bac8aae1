import { findOpenOfRecipient } from '#conversations/store/conversation-links';
import type { IdempotencyClaim } from '#core/caller/idempotency-claim';
import type { AgentId, TenantId } from '#core/ids';
import { phoneKey } from '#core/phone/phone-key';
import type { Database } from '#database/database';
import { withEvents } from '#events/actions/with-events';
import type { AcceptOutcome, MessageAcceptor, SendRequest } from '#messages/actions/accept-message';
import type { Runtime } from '#runtime/runtime';
import { type Reply, storeReply } from './reply-in-conversation.ts';
import { storeWithin } from './store-within.ts';

interface SendDeps {
  readonly rt: Runtime;
  readonly db: Database;
  readonly acceptor: Pick<MessageAcceptor, 'acceptWith'>;
}

/** A message that a person sends outside of the operation for replies. */
export interface AgentSend {
  readonly tenantId: TenantId;
  readonly agentId: AgentId;
  readonly request: SendRequest;
  readonly claim: IdempotencyClaim | null;
}

/**
 * Sends a message of a person as any message, and as the answer that it is if the customer has an open conversation with the
 * number: with its effects, but without what could refuse a reply, since the caller named a customer and no conversation.
 * @throws ApiProblem as accepting any message does
 */
export function sendAsAgent({ rt, db, acceptor }: SendDeps, send: AgentSend): Promise<AcceptOutcome> {
  const { tenantId, agentId, request, claim } = send;
  const actor = { kind: 'agent', id: agentId } as const;
  return acceptor.acceptWith({ tenantId, request, idempotency: claim, asksWindow: true }, async (row) => {
    const stored = await withEvents(rt, db, async (tx, events) => {
      const { to, phoneNumberId } = row.message;
      const conversationId = await findOpenOfRecipient(tx, { tenantId, key: phoneKey(to), phoneNumberId });
      if (conversationId === null) return storeWithin({ rt, db, tx }, row);
      const target = { tenantId, conversationId, actor, request, claim };
      const reply: Reply = { ...target, force: true, ifLastMessageId: null, followsPolicy: true };
      return storeReply({ rt, db, tx, events }, conversationId, reply, row);
    });
    rt.eventSignal.notify(new Set([tenantId]));
    return stored;
  });
}
