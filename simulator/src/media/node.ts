/** `GET` and `DELETE /{version}/{media_id}`: where the bytes are for the next minutes, and their end. */
import { createHmac } from 'node:crypto';
import { type GraphCall, Refusal, requireStep } from '../graph/call.ts';
import { unknownObject } from '../graph/errors.ts';
import type { JsonObject } from '../json.ts';
import type { Simulation } from '../simulation.ts';
import type { MediaItem } from './media-store.ts';

/** Path of the addresses that downloads are made from, as on the network's own host. */
export const DOWNLOAD_PATH = '/whatsapp_business/attachments/';

/** The node of an id that belongs to media; the address in it lives for five minutes. */
export function getMedia(sim: Simulation, call: GraphCall, item: MediaItem): JsonObject {
  requireOwner(call, item);
  requireStep(sim, 'media_lookup');
  return {
    messaging_product: 'whatsapp',
    url: downloadUrl(sim, call, item),
    mime_type: item.mimeType,
    sha256: item.sha256,
    // A string in the network's documents, a number elsewhere.
    file_size: String(item.bytes),
    id: item.id,
  };
}

/** Ends the media; its id is unknown from now on. */
export function deleteMedia(sim: Simulation, call: GraphCall, item: MediaItem): JsonObject {
  requireOwner(call, item);
  requireStep(sim, 'media_delete');
  sim.media.remove(item.id);
  return { success: true };
}

/** "phone_number_id: optional; then the id must belong to that number." */
function requireOwner({ request, path }: GraphCall, item: MediaItem): void {
  const owner = new URLSearchParams(path.query).get('phone_number_id');
  if (owner !== null && owner !== item.phoneNumberId)
    throw new Refusal(unknownObject(request.method ?? 'GET', item.id));
}

function downloadUrl(sim: Simulation, { request }: GraphCall, item: MediaItem): string {
  // No shorter than was said, although the address knows whole seconds alone.
  const ext = String(Math.ceil(sim.clock.now() / 1000) + sim.settings.mediaUrlSeconds);
  const query = new URLSearchParams({ mid: item.id, source: 'getMedia', ext, hash: downloadHash(sim, item.id, ext) });
  return `http://${request.headers.host ?? '127.0.0.1'}${DOWNLOAD_PATH}?${query}`;
}

/** What makes an address valid until `ext`, unix seconds. Ordering all addresses to expire changes it. */
export function downloadHash(sim: Simulation, id: string, ext: string): string {
  return `ATt${createHmac('sha256', sim.settings.appSecret).update(`${id}:${ext}:${sim.mediaUrlEpoch}`).digest('base64url').slice(0, 24)}`;
}
