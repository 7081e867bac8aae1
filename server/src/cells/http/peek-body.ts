import type { IncomingMessage } from 'node:http';
import type { JsonObject } from '#core/json';
import { isJsonObject, type JsonValue } from '#core/json';

/** A body that says who signs in is far smaller. */
const MAX_PEEKED_BYTES = 64 * 1024;

/**
 * Reads a small JSON body ahead of whoever handles the request, and puts it back.
 * @returns empty for what is no JSON object, is too large, or breaks off: who handles it says so
 */
export function peekJson(request: IncomingMessage): Promise<JsonObject> {
  const length = Number(request.headers['content-length'] ?? Number.NaN);
  if (length > MAX_PEEKED_BYTES || length === 0) return Promise.resolve({});
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const end = () => {
      request.off('readable', look);
      request.off('end', end);
      request.off('close', end);
      request.off('error', end);
      const whole = Buffer.concat(chunks);
      // Before the end of the stream was announced: it is read again from here.
      if (whole.length > 0 && !request.readableEnded && !request.destroyed) request.unshift(whole);
      resolve(parsed(whole));
    };
    const look = () => {
      for (let chunk: Buffer | null = request.read(); chunk !== null; chunk = request.read()) {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes >= length || bytes > MAX_PEEKED_BYTES) return end();
      }
      if (request.complete) end();
    };
    request.on('readable', look);
    request.once('end', end);
    request.once('close', end);
    request.once('error', end);
  });
}

function parsed(whole: Buffer): JsonObject {
  try {
    const value = JSON.parse(whole.toString('utf8')) as JsonValue;
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
