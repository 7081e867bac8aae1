import type { LatencySummary } from '../histogram.ts';

/** What the requests of a job are. */
export type LoadRequest =
  /** `POST /v1/messages` to `recipients` different people, chosen by a seed; `mixed`: every type in turn, not text alone. */
  | {
      readonly kind: 'send';
      readonly path: string;
      readonly recipients: number;
      readonly seed: number;
      readonly mixed?: boolean;
    }
  /** The same, each to a different recipient, counted from `first`, with these keys in turn. */
  | { readonly kind: 'numbered'; readonly path: string; readonly keys: readonly string[]; readonly first: number }
  /** A form with a file of so many bytes, none the same as another. */
  | { readonly kind: 'upload'; readonly path: string; readonly bytes: number }
  /** `GET` of these paths, one after the other. */
  | { readonly kind: 'read'; readonly paths: readonly string[] };

/** One run of load against one address. */
export interface LoadJob {
  readonly origin: string;
  readonly key: string;
  readonly connections: number;
  readonly durationMs: number;
  /**
   * Requests per second, due at fixed moments whatever the answers do; null: each connection asks as fast as it is
   * answered.
   */
  readonly ratePerSecond: number | null;
  /** A request of a rated job that is due while every connection waits for an answer is left out; absent: it waits. */
  readonly dropsWhenBusy?: boolean;
  readonly request: LoadRequest;
}

/** What came of it. Latencies of a rated job count from the moment a request was due, so that waiting is not hidden. */
export interface LoadResult {
  readonly durationMs: number;
  readonly requests: number;
  readonly succeeded: number;
  /** Answers by status code; requests without an answer by the reason. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly perSecond: number;
  readonly latency: LatencySummary;
  /** Latency of the other answers. */
  readonly refusals: LatencySummary;
  /** Requests that were left out. */
  readonly dropped: number;
  /** Recipients of the numbered requests that were answered 2xx. */
  readonly accepted: readonly number[];
}
