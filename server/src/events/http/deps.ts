import type { EventWaiters } from '#events/actions/event-waiters';
import type { SignalHub } from '#events/actions/signal-hub';

declare module '#http/deps' {
  interface HttpDeps {
    /** Wakes requests that wait for events. */
    readonly eventWatch: EventWaiters;
    /** Passes on who looks at and who writes in conversations. */
    readonly signals: SignalHub;
  }
}
