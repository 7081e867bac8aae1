import type { TenantId } from '#core/ids';
import { RequestBucket, type RequestRate } from './request-bucket.ts';

/** Who asks, and the rates that count: requests per second over all processes; 0: no limit. */
export interface LimitedCaller {
  readonly callerId: string;
  readonly keyRate: number;
  readonly tenantId: TenantId;
  readonly tenantRate: number;
}

/** What this process may use of every rate. */
export interface ProcessShare {
  /** Live processes of the API, this one among them. */
  readonly processes: number;
  /** Others have not yet made room for this process: it begins with nothing saved. */
  readonly isNew: boolean;
}

/** The state of one limit after a request. */
export interface LimitState {
  readonly name: 'key' | 'tenant';
  /** The whole rate. */
  readonly perSecond: number;
  /** What this process would still let through now. */
  readonly remaining: number;
  readonly msUntilFull: number;
}

export interface RateVerdict {
  /** 0: the request may pass. */
  readonly retryAfterMs: number;
  /** One or two. */
  readonly limits: readonly LimitState[];
}

/** Keys and tenants remembered; beyond it the oldest is forgotten and starts over, with its burst. */
const MAX_BUCKETS = 20_000;

/**
 * The share of one process in every rate: the rate and the burst of a second, divided by the number of processes. At
 * least one request may be saved up in each process, or a low rate over many processes would let nothing through.
 */
export function shareOf(perSecond: number, processes: number): RequestRate {
  return { perSecond: perSecond / processes, burst: Math.max(1, perSecond / processes) };
}

/** The limits of requests in one process. Without a rate nothing is counted and nothing remembered. */
export class RequestLimits {
  readonly #keys = new Map<string, RequestBucket>();
  readonly #tenants = new Map<string, RequestBucket>();

  /** Counts a request against the limits of its key and its tenant: against both or, when one refuses, against none. */
  admit(caller: LimitedCaller, share: ProcessShare, nowMs: number): RateVerdict {
    const used: { readonly name: 'key' | 'tenant'; readonly perSecond: number; readonly bucket: RequestBucket }[] = [];
    const { callerId, keyRate, tenantId, tenantRate } = caller;
    if (keyRate > 0) {
      const bucket = bucketOf(this.#keys, callerId, { perSecond: keyRate, share, nowMs });
      used.push({ name: 'key', perSecond: keyRate, bucket });
    }
    if (tenantRate > 0) {
      const bucket = bucketOf(this.#tenants, tenantId, { perSecond: tenantRate, share, nowMs });
      used.push({ name: 'tenant', perSecond: tenantRate, bucket });
    }
    const retryAfterMs = Math.max(0, ...used.map(({ bucket }) => bucket.msUntilNext(nowMs)));
    if (retryAfterMs === 0) for (const { bucket } of used) bucket.take();
    const limits = used.map(({ name, perSecond, bucket }) => {
      return { name, perSecond, remaining: bucket.remaining(nowMs), msUntilFull: bucket.msUntilFull(nowMs) };
    });
    return { retryAfterMs, limits };
  }
}

function bucketOf(
  buckets: Map<string, RequestBucket>,
  id: string,
  use: { readonly perSecond: number; readonly share: ProcessShare; readonly nowMs: number },
): RequestBucket {
  const rate = shareOf(use.perSecond, use.share.processes);
  const known = buckets.get(id);
  if (known) {
    known.configure(rate, use.nowMs);
    return known;
  }
  const made = new RequestBucket(rate, use.nowMs, use.share.isNew);
  buckets.set(id, made);
  if (buckets.size > MAX_BUCKETS) buckets.delete(buckets.keys().next().value as string);
  return made;
}

/** How rates are shared out over the processes of the API: no request asks the database for it. */
export interface RateShare {
  /** What this process may use, as of its last beat. */
  current(): ProcessShare;
  /** One beat: says that this process is alive, and counts those that are. To be called every BEAT_MS. */
  runOnce(): Promise<void>;
  /** The others get the share of this process with their next beat. */
  leave(): Promise<void>;
}
