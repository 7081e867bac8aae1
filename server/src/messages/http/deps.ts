import type { IdempotencyClaim } from '#core/caller/idempotency-claim';
import type { AgentId, TenantId } from '#core/ids';
import type { AcceptOutcome, MessageAcceptor, SendRequest } from '#messages/actions/accept-message';
import type { DryRunDeps } from '#messages/actions/dry-run';
import type { OutcomeWaiters } from '#messages/actions/outcome-waiters';
import type { SendReadReceipt } from '#messages/domain/read-receipt';

declare module '#http/deps' {
  interface HttpDeps {
    readonly acceptor: MessageAcceptor;
    /** Sends what a person writes: it may be an answer in a conversation, of which this feature knows nothing. */
    readonly sendAsAgent: (send: {
      readonly tenantId: TenantId;
      readonly agentId: AgentId;
      readonly request: SendRequest;
      readonly claim: IdempotencyClaim | null;
    }) => Promise<AcceptOutcome>;
    /** What the checks of a send look up, for those that store nothing. */
    readonly checks: DryRunDeps;
    /** Wakes requests that wait for the outcome of their message. */
    readonly watch: OutcomeWaiters;
    /** Tells the network that an inbound message was read. */
    readonly sendReadReceipt: SendReadReceipt;
  }
}
