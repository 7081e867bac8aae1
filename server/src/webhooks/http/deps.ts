import type { JsonObject } from '#core/json';
import type { EventType } from '#events/domain/event';

declare module '#http/deps' {
  interface HttpDeps {
    /** An event of a type as the documentation shows it. */
    readonly exampleEvent: (type: EventType) => JsonObject;
  }
}
