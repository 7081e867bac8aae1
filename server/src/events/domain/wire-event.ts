import type { JsonObject } from '#core/json';
import type { StoredEvent } from './event.ts';

/** Version of the envelope; the schemas of `data` grow by fields alone. */
export const EVENT_API_VERSION = '1.0.0';

/** An event as it leaves, the same in the feed, the stream and webhooks. */
export function wireEvent({ id, sequence, type, recordedMs, data }: StoredEvent): JsonObject {
  const timestamp = new Date(recordedMs).toISOString();
  return { id, sequence, type, api_version: EVENT_API_VERSION, timestamp, data };
}
