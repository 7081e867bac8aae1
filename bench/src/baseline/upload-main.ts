import { createWriteStream } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import Fastify from 'fastify';

/*
 * What an upload could cost at least: a bare Fastify route that writes the bytes of the form to a file, as they come.
 * `upload-main.js <openapi file> <port> <folder>`. A file is removed once it is whole: room is bounded.
 */
const [, port = '0', folder = '.'] = process.argv.slice(2);
const app = Fastify({ logger: false, bodyLimit: 64 * 1024 * 1024 });
let count = 0;
app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
app.post('/v1/media', async (request) => {
  const file = join(folder, `upload-${process.pid}-${count++}`);
  await pipeline(request.body as NodeJS.ReadableStream, createWriteStream(file));
  await unlink(file);
  return {};
});
await app.listen({ host: '127.0.0.1', port: Number(port) });
process.once('SIGTERM', () => void app.close().then(() => process.exit(0)));
