import type { EventWaiters } from '#events/actions/event-waiters';

declare module '#http/deps' {
  interface HttpDeps {
    /** Wakes requests that wait for events. */
    readonly eventWatch: EventWaiters;
  }
}
