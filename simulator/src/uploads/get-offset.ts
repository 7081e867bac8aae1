/** `GET /{version}/upload:…`: how many bytes are kept, so that the caller continues there. */
import { type GraphCall, Refusal, requireStep, requireToken, type StreamCall } from '../graph/call.ts';
import { unknownObject } from '../graph/errors.ts';
import type { JsonObject } from '../json.ts';
import type { Simulation } from '../simulation.ts';
import { sessionId, type UploadSession } from './upload-sessions.ts';

/**
 * Answers `{id, file_offset}`, the offset as a string. Who asks has lost the connection that was writing: it is ended
 * first, so that the answer stays true.
 */
export async function getOffset(sim: Simulation, call: GraphCall): Promise<JsonObject> {
  requireToken(sim, call);
  const session = requireSession(sim, call);
  requireStep(sim, 'upload_offset');
  await session.writer?.end();
  return { id: sessionId(session), file_offset: String(session.offset) };
}

/** The session that the address names. */
export function requireSession(sim: Simulation, { request, path }: StreamCall): UploadSession {
  const signature = new URLSearchParams(path.query).get('sig');
  const session = sim.uploads.find(path.objectId, signature, sim.clock.now());
  if (session === null) throw new Refusal(unknownObject(request.method ?? 'GET', path.objectId));
  return session;
}
