import type { JsonObject } from '#core/json';
import type { EventType } from '#events/domain/event';

declare module '#http/deps' {
  interface HttpDeps {
    /** Asks an address whether it takes callbacks of the network. @returns why it does not, as the end of a sentence; null: it does */
    readonly verifyEndpoint: (url: string, verifyToken: string) => Promise<string | null>;
    /** An event of a type as the documentation shows it. */
    readonly exampleEvent: (type: EventType) => JsonObject;
  }
}
