/** `POST /{version}/{app_id}/uploads`: announces a file of known length and type. */
import { type GraphCall, paramsOf, refuseWith, requiredText, requireStep, requireToken } from '../graph/call.ts';
import type { JsonObject } from '../json.ts';
import { MAX_MEDIA_BYTES } from '../media/media-types.ts';
import type { Simulation } from '../simulation.ts';
import { sessionId } from './upload-sessions.ts';

const FILE_TYPES = ['application/pdf', 'image/jpeg', 'image/jpg', 'image/png', 'video/mp4'];

/** Answers `{id}`; the id is used verbatim as the address of the bytes. */
export function createSession(sim: Simulation, call: GraphCall): JsonObject {
  requireToken(sim, call);
  requireStep(sim, 'upload_session');
  const params = paramsOf(call);
  const length = requiredText(params, 'file_length');
  const fileLength = Number(length);
  if (!/^\d{1,12}$/.test(length) || fileLength < 1 || fileLength > MAX_MEDIA_BYTES) {
    refuseWith(100, `Param file_length must be a number from 1 to ${MAX_MEDIA_BYTES}.`);
  }
  const fileType = requiredText(params, 'file_type');
  if (!FILE_TYPES.includes(fileType)) refuseWith(100, `Param file_type must be one of {${FILE_TYPES.join(', ')}}.`);
  const fileName = typeof params.file_name === 'string' ? params.file_name : null;
  const wish = { appId: call.path.objectId, fileLength, fileType, fileName };
  return { id: sessionId(sim.uploads.create(wish, sim.clock.now())) };
}
