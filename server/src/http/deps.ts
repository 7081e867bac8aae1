import type { Locker } from '@tus/server';
import type { BlobStore } from '#blobs/blob-store';
import type { PartialStore } from '#blobs/partial-store';
import type { TellRead } from '#core/read-receipt';
import type { PaymentGateway } from '#core/top-up';
import type { MessageAcceptor } from '#operations/accept-message';
import type { TokenBook } from '#operations/account-token';
import type { Authenticator } from '#operations/authenticate';
import type { DryRunParts } from '#operations/dry-run';
import type { EventWatch } from '#operations/event-watch';
import type { LinkParts } from '#operations/link-parts';
import type { OutcomeWatch } from '#operations/outcome-watch';
import type { RateShare } from '#operations/rate-share';
import type { TemplateParts } from '#operations/template-parts';
import type { Config } from '#runtime/config';
import type { Runtime } from '#runtime/runtime';
import type { Database } from '#storage/database';
import type { Gate } from './plugins/auth.ts';
import type { StreamSlots } from './streams/stream-slots.ts';

/** What the API is built from: handed in by bin/, so that several can live in one process. */
export interface HttpDeps {
  readonly rt: Runtime;
  readonly db: Database;
  readonly acceptor: MessageAcceptor;
  /** What the checks of a send look up, for those that store nothing. */
  readonly checks: DryRunParts;
  readonly authenticator: Authenticator;
  /** Where the bytes of media are. */
  readonly blobs: BlobStore;
  /** Where uploads grow that come in pieces. */
  readonly partials: PartialStore;
  /** Keeps requests of one upload apart, within this process. */
  readonly uploadLocks: Locker;
  /** Wakes requests that wait for the outcome of their message. */
  readonly watch: OutcomeWatch;
  /** Wakes requests that wait for events. */
  readonly eventWatch: EventWatch;
  /** Open streams of events in this process. */
  readonly streams: StreamSlots;
  /** Requests that wait in this process: for the outcome of a message, or for events. */
  readonly waits: StreamSlots;
  /** Requests of this process that wait for somebody outside. */
  readonly outside: StreamSlots;
  /** Tells the network that an inbound message was read. */
  readonly tellRead: TellRead;
  /** Where money is paid into wallets; null: nowhere. */
  readonly payments: PaymentGateway | null;
  /** Which access token a call for a number carries. */
  readonly tokens: TokenBook;
  /** What linking accounts works with. */
  readonly linking: LinkParts;
  /** What templates are worked on with. */
  readonly templates: TemplateParts;
  /** What this process may use of the rate limits. */
  readonly rateShare: Pick<RateShare, 'current'>;
  /** Secret that authenticates list cursors. Equal in every process of one installation. */
  readonly cursorKey: string;
}

/** What a route is handed: the dependencies, and the document that describes all routes. */
export interface RouteContext extends HttpDeps {
  /** The OpenAPI document as JSON text. */
  readonly openApiText: string;
  /** Who may come in. */
  readonly gate: Gate;
  /** Who may read the counters on this port. */
  readonly metricsAccess: Config['metricsAccess'];
}
