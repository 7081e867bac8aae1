import { Call, type CallOptions } from './call.ts';
import { type ClientOptions, type Connection, connect } from './connection.ts';
import type { EventsResource, MessagesResource, Resources } from './generated/resources.ts';
import type { OutboundMessage } from './generated/types.ts';
import { request } from './request.ts';
import { makeResources } from './resources.ts';
import { EventStream, type StreamOptions } from './stream.ts';
import { MessageWaits, type WaitOptions } from './wait.ts';
import { unwrapWebhook } from './webhooks.ts';

/** Messages, and waiting for what becomes of them. */
export interface Messages extends MessagesResource {
  /**
   * Waits on the stream of events until a message is sent, delivered or read. All waits of a client share one stream.
   * @throws {MessageFailedError} when the message fails
   * @throws {TimeoutError}
   */
  wait(id: string, options?: WaitOptions): Promise<OutboundMessage>;
}

/** The feed of events, and the stream of what happens. */
export interface Events extends EventsResource {
  /** Events as they happen, over as many connections as that takes: `GET /v1/events/stream`. */
  stream(options?: StreamOptions): EventStream;
}

/** What webhooks bring. */
export interface Webhooks {
  /** Verifies a webhook and returns its event. */
  unwrap: typeof unwrapWebhook;
}

/** An operation by its path, for what the library has no verb for. */
export interface PlainRequest {
  readonly method: string;
  /** Such as `/v1/messages`. */
  readonly path: string;
  readonly query?: object | undefined;
  /** An object is sent as JSON. */
  readonly body?: unknown;
}

// The verbs of every resource come from a table; their types are merged into the class.
export interface Postrider extends Omit<Resources, 'messages' | 'events'> {
  readonly messages: Messages;
  readonly events: Events;
  readonly webhooks: Webhooks;
}

/** The client: `new Postrider().messages.send({ to, body })`. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor assigns every resource
export class Postrider {
  /** Where the service is. */
  readonly baseUrl: string;
  readonly #connection: Connection;

  /** @throws {TypeError} when the key is missing, or the options contradict each other */
  constructor(options: ClientOptions = {}) {
    const connection = connect(options);
    this.#connection = connection;
    this.baseUrl = connection.baseUrl;
    const resources = makeResources(connection);
    const waits = new MessageWaits(connection, resources.messages);
    Object.assign(this, resources, {
      messages: { ...resources.messages, wait: (id: string, wish: WaitOptions = {}) => waits.wait(id, wish) },
      events: { ...resources.events, stream: (wish: StreamOptions = {}) => new EventStream(connection, wish) },
      webhooks: { unwrap: unwrapWebhook },
    });
  }

  /**
   * Makes any request, with the key and the errors of all others. A POST is repeated only with an `idempotencyKey`, because
   * nobody knows whether it would take effect twice.
   */
  request<Data = unknown>(wire: PlainRequest, options: CallOptions = {}): Call<Data> {
    const method = wire.method.toUpperCase();
    const answer = request(
      this.#connection,
      { ...wire, method, takesKey: options.idempotencyKey !== undefined },
      options,
    );
    return new Call(answer as Promise<Awaited<ReturnType<Call<Data>['withResponse']>>>);
  }
}
