/**
 * `POST /{version}/upload:…`: the bytes from `file_offset` on. Bytes that arrive are kept, also when the connection
 * breaks.
 */

import { type FileHandle, open } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Cut, Refusal, refuseWith, requireToken, respond, type StreamCall } from '../graph/call.ts';
import { networkError } from '../graph/errors.ts';
import type { Simulation } from '../simulation.ts';
import { requireSession } from './get-offset.ts';
import { sessionId, type UploadSession } from './upload-sessions.ts';

/** Answers `{h}` when the file is complete, otherwise where to continue. */
export function receiveBytes(sim: Simulation, call: StreamCall): Promise<void> {
  return respond(sim, call, async () => {
    try {
      requireToken(sim, call);
      const session = requireSession(sim, call);
      await session.writer?.end();
      requireOffset(session, call.request);
      await append(session, call.request, cutAt(sim, session));
      const handle = sim.uploads.finishRequest(session, sim.clock.now());
      return handle === null ? { id: sessionId(session), file_offset: String(session.offset) } : { h: handle };
    } finally {
      call.request.resume();
    }
  });
}

function requireOffset(session: UploadSession, request: IncomingMessage): void {
  const header = request.headers.file_offset;
  if (typeof header !== 'string' || !/^\d{1,12}$/.test(header)) {
    refuseWith(100, 'The header file_offset must be a number of bytes.');
  }
  if (Number(header) !== session.offset) {
    refuseWith(100, `The header file_offset is ${header}, but this session goes on at ${session.offset}.`);
  }
}

/** The offset at which an ordered failure breaks the connection: in the middle of what is missing. Null: not at all. */
function cutAt(sim: Simulation, session: UploadSession): number | null {
  const failure = sim.failures.take('upload_bytes');
  if (failure === null) return null;
  if (failure.kind === 'cut') return session.offset + Math.ceil((session.fileLength - session.offset) / 2);
  const status = failure.httpStatus === undefined ? {} : { httpStatus: failure.httpStatus };
  throw new Refusal({ ...networkError(failure.code), ...status });
}

async function append(session: UploadSession, request: IncomingMessage, cutOffset: number | null): Promise<void> {
  const { promise, resolve } = settled();
  session.writer = {
    end: () => {
      request.destroy();
      return promise;
    },
  };
  const file = await open(session.file, session.offset === 0 ? 'w' : 'r+');
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      await keep(session, file, chunk as Buffer, cutOffset);
      if (cutOffset !== null && session.offset >= cutOffset) throw new Cut('the upload was to be cut');
    }
  } finally {
    await file.close();
    session.writer = null;
    resolve();
  }
}

function settled(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

async function keep(session: UploadSession, file: FileHandle, chunk: Buffer, cutOffset: number | null): Promise<void> {
  if (session.offset + chunk.length > session.fileLength) {
    refuseWith(100, `The body is longer than the ${session.fileLength} bytes that were announced.`);
  }
  const wanted = cutOffset === null ? chunk : chunk.subarray(0, Math.max(0, cutOffset - session.offset));
  await file.write(wanted, 0, wanted.length, session.offset);
  session.hash.update(wanted);
  session.offset += wanted.length;
}
