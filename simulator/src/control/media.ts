import type { JsonObject } from '../json.ts';
import type { MediaItem } from '../media/media-store.ts';
import type { Simulation } from '../simulation.ts';
import { type ControlAnswer, type ControlCall, ok } from './answer.ts';
import { optionalBoolean, readObject, refuseUnknown } from './fields.ts';

/** `GET /_sim/media`: everything that was uploaded or received and not deleted, oldest first. */
export function listMedia(sim: Simulation): ControlAnswer {
  return ok({ data: sim.media.list().map((item) => presentMedia(item, sim.clock.now())) });
}

/** `PUT /_sim/media {"expire_urls": true, "forget": true}`: addresses given out are dead; all media is gone. */
export function putMedia(sim: Simulation, call: ControlCall): ControlAnswer {
  const body = readObject(call.text);
  refuseUnknown(body, ['expire_urls', 'forget']);
  if (optionalBoolean(body, 'expire_urls') === true) sim.mediaUrlEpoch++;
  if (optionalBoolean(body, 'forget') === true) sim.media.reset();
  return listMedia(sim);
}

function presentMedia(item: MediaItem, nowMs: number): JsonObject {
  return {
    id: item.id,
    phone_number_id: item.phoneNumberId,
    waba_id: item.wabaId,
    origin: item.origin,
    mime_type: item.mimeType,
    filename: item.fileName,
    bytes: item.bytes,
    sha256: item.sha256,
    created_at: new Date(item.createdAtMs).toISOString(),
    expires_at: new Date(item.expiresAtMs).toISOString(),
    expired: nowMs >= item.expiresAtMs,
  };
}
