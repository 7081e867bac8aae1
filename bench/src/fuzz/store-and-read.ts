import { describeApi, type Schema } from './describe-api.ts';
import type { Failure } from './failure.ts';
import type { KnownIds } from './known-ids.ts';
import { Probe } from './probe.ts';
import { type Readings, readAll } from './read-all.ts';
import { sendRequest } from './request.ts';
import { type Stored, storeOdd } from './store-odd.ts';

export interface StoreAndReadSpec {
  readonly base: string;
  readonly key: string;
  readonly known: KnownIds;
  readonly seed: number;
  /** Values that are to be stored at each place, and asked for by each parameter. */
  readonly each: number;
}

export interface StoreAndReadReport {
  readonly requests: number;
  readonly failures: readonly Failure[];
  readonly stored: Stored;
  readonly read: Readings;
}

/**
 * Stores odd values wherever the document of a service has a place for one, then reads everything in every way that it
 * offers: no read fails on what a write accepted, and every row is in its list, once.
 */
export async function storeAndRead({ base, key, known, seed, each }: StoreAndReadSpec): Promise<StoreAndReadReport> {
  const document = await sendRequest(base, { method: 'GET', path: '/v1/openapi.json', headers: {}, body: null });
  const api = describeApi(document.json as Schema);
  const probe = new Probe({ base, key, seed });
  const stored = await storeOdd({ api, known, probe, seed, each });
  const read = await readAll({ api, known, probe, seed, each, rows: stored.rows });
  return { requests: probe.requests, failures: probe.failures, stored, read };
}
