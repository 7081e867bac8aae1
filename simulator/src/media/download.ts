/** The addresses that media is downloaded from: the token is wanted here too, and an old address is 404. */
import { createReadStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, Transform } from 'node:stream';
import type { Failure } from '../failures.ts';
import { cut } from '../graph/answer.ts';
import { authorise } from '../graph/authorise.ts';
import type { Simulation } from '../simulation.ts';
import type { MediaItem } from './media-store.ts';
import { downloadHash } from './node.ts';

const SERVER_FAULT = 500;

/** Answers the bytes, or as the network's file host does: a page that is not JSON. */
export function handleDownload(sim: Simulation, request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  const query = new URL(request.url ?? '/', 'http://simulator').searchParams;
  const item = itemOf(sim, query);
  if (authorise(sim, request, '') !== null) say(response, 401, 'Authorization is required.');
  else if (item === null) say(response, 404, 'The requested file does not exist or its address has expired.');
  else deliver(sim, item, request, response);
}

function deliver(sim: Simulation, item: MediaItem, request: IncomingMessage, response: ServerResponse): void {
  const failure = sim.failures.take('media_download');
  if (failure?.kind === 'error') {
    say(response, failure.httpStatus ?? SERVER_FAULT, 'Something went wrong.');
    return;
  }
  response.writeHead(200, { 'Content-Type': item.mimeType, 'Content-Length': item.bytes, 'Cache-Control': 'no-store' });
  if (request.method === 'HEAD') response.end();
  else stream(sim, item, response, failure);
}

function itemOf(sim: Simulation, query: URLSearchParams): MediaItem | null {
  const id = query.get('mid') ?? '';
  const ext = query.get('ext') ?? '';
  const nowMs = sim.clock.now();
  if (query.get('hash') !== downloadHash(sim, id, ext) || Number(ext) * 1000 <= nowMs) return null;
  return sim.media.find(id, nowMs);
}

function stream(sim: Simulation, item: MediaItem, response: ServerResponse, failure: Failure | null): void {
  const path = sim.media.fileOf(item);
  const ended = (): void => {};
  if (failure?.kind === 'cut') {
    // Half of the file, so that the receiver has something that must not count as whole.
    const half = createReadStream(path, { end: Math.max(0, (item.bytes >> 1) - 1) });
    half.on('error', () => cut(sim, response));
    half.on('end', () => response.write('', () => cut(sim, response)));
    half.pipe(response, { end: false });
    return;
  }
  const file = createReadStream(path);
  if (failure?.kind === 'corrupt') pipeline(file, flippedFirstByte(), response, ended);
  else pipeline(file, response, ended);
}

function flippedFirstByte(): Transform {
  let flipped = false;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (!flipped) chunk[0] = (chunk[0] ?? 0) ^ 0xff;
      flipped = true;
      done(null, chunk);
    },
  });
}

function say(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' });
  response.end(`<!doctype html><title>${status}</title><p>${sentence}</p>\n`);
}
