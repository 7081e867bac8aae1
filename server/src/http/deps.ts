import type { BlobStore } from '#blobs/blob-store';
import type { PartialStore } from '#blobs/partial-store';
import type { Authenticator } from '#core/caller/principal';
import type { RateShare } from '#core/limits/request-limits';
import type { SimulatorPhone } from '#core/network/simulator-phone';
import type { Database } from '#database/database';
import type { Config } from '#runtime/config';
import type { CellMetrics } from '#runtime/metrics';
import type { Runtime } from '#runtime/runtime';
import type { Gate } from './plugins/auth.ts';
import type { StreamSlots } from './slots/stream-slots.ts';

/**
 * What the API is built from: handed in by bin/, so that several can live in one process. Each feature declares in its own
 * `http/deps.ts` what its routes need besides.
 */
export interface HttpDeps {
  readonly rt: Runtime;
  readonly db: Database;
  readonly authenticator: Authenticator;
  /** The same for the tokens of sessions. */
  readonly sessionAuthenticator: Authenticator;
  /** What this process may use of the rate limits. */
  readonly rateShare: Pick<RateShare, 'current'>;
  /** Where the bytes of media are. */
  readonly blobs: BlobStore;
  /** Where uploads grow that come in pieces. */
  readonly partials: PartialStore;
  /** Open streams of events in this process. */
  readonly streams: StreamSlots;
  /** Requests that wait in this process: for the outcome of a message, or for events. */
  readonly waits: StreamSlots;
  /** Requests of this process that wait for somebody outside. */
  readonly outside: StreamSlots;
  /** The simulated network as the phone of the console reaches it; null: the network is another one. */
  readonly phone: SimulatorPhone | null;
  /** Secret that authenticates list cursors. Equal in every process of one installation. */
  readonly cursorKey: string;
  /** Of the main cell, while other cells are in the process beside it. */
  readonly cellReport?: CellReport | undefined;
}

/** What the process says of its cells. */
export interface CellReport {
  /** The cells that cannot be reached now. */
  away(): readonly string[];
  /** Whether there is no cell besides the main one. */
  isAlone(): boolean;
  /** The counters of the cells besides the main one. */
  metrics(): readonly CellMetrics[];
}

/** What a route is handed: the dependencies, and the document that describes all routes. */
export interface RouteContext extends HttpDeps {
  /** The OpenAPI document as JSON text. Made by the first call: most processes never need it. */
  readonly openApiText: () => string;
  /** Who may come in. */
  readonly gate: Gate;
  /** Who may read the counters on this port. */
  readonly metricsAccess: Config['metricsAccess'];
}
