import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import Fastify from 'fastify';

/*
 * What an upload could cost at least: a bare Fastify route that writes the bytes of the form to a file, as they come.
 * `upload-main.js <openapi file> <port> <folder>`. Files stay, as those of the service do: one that is deleted
 * immediately never reaches the disk, and the longer a run the more that matters. Space is still bounded: the oldest
 * are deleted.
 */
const KEPT_FILES = 256;
const [, port = '0', folder = '.'] = process.argv.slice(2);
const app = Fastify({ logger: false, bodyLimit: 64 * 1024 * 1024 });
const fileOf = (number: number): string => join(folder, `upload-${process.pid}-${number}`);
let count = 0;
app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
app.post('/v1/media', async (request) => {
  const number = count++;
  await pipeline(request.body as NodeJS.ReadableStream, createWriteStream(fileOf(number)));
  if (number >= KEPT_FILES) await rm(fileOf(number - KEPT_FILES), { force: true });
  return {};
});
await app.listen({ host: '127.0.0.1', port: Number(port) });
process.once('SIGTERM', () => void app.close().then(() => process.exit(0)));
