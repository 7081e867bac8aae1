import type { JsonObject } from '../json.ts';
import type { Simulation } from '../simulation.ts';
import type { UploadSession } from '../uploads/upload-sessions.ts';
import { type ControlAnswer, ok } from './answer.ts';

/** `GET /_sim/uploads`: sessions of the resumable upload, oldest first. */
export function listUploads(sim: Simulation): ControlAnswer {
  return ok({ data: sim.uploads.list().map(presentSession) });
}

function presentSession(session: UploadSession): JsonObject {
  const complete = session.offset >= session.fileLength;
  return {
    id: session.key,
    app_id: session.appId,
    file_name: session.fileName,
    file_type: session.fileType,
    file_length: session.fileLength,
    file_offset: session.offset,
    complete,
    requests: session.pieces.length,
    // The digest of what has arrived so far.
    sha256: session.hash.copy().digest('hex'),
  };
}
