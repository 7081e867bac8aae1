import type { MessageAcceptor } from '#messages/actions/accept-message';
import type { DryRunDeps } from '#messages/actions/dry-run';
import type { OutcomeWaiters } from '#messages/actions/outcome-waiters';
import type { SendReadReceipt } from '#messages/domain/read-receipt';

declare module '#http/deps' {
  interface HttpDeps {
    readonly acceptor: MessageAcceptor;
    /** What the checks of a send look up, for those that store nothing. */
    readonly checks: DryRunDeps;
    /** Wakes requests that wait for the outcome of their message. */
    readonly watch: OutcomeWaiters;
    /** Tells the network that an inbound message was read. */
    readonly sendReadReceipt: SendReadReceipt;
  }
}
