import type { FastifyInstance } from 'fastify';

/** Every header that an operation reads; those of tus are what an upload from a browser consists of. */
const ALLOWED_HEADERS = [
  'authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id, prefer, range, x-agent-id, x-request-id',
  'tus-resumable, upload-checksum, upload-length, upload-metadata, upload-offset',
].join(', ');
/** Every header that an answer may have. */
const EXPOSED_HEADERS = [
  'accept-ranges, allow, content-disposition, content-range, etag, idempotent-replayed, link, location, postrider-warning, preference-applied',
  'ratelimit, ratelimit-policy, retry-after, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, x-request-id',
  'tus-checksum-algorithm, tus-extension, tus-max-size, tus-resumable, tus-version',
  'upload-expires, upload-length, upload-metadata, upload-offset, www-authenticate',
].join(', ');
/** Seconds a browser may remember the answer to a preflight. */
const PREFLIGHT_MAX_AGE_S = 600;

/** Lets browsers of the listed origins call the API. Without origins nothing is installed: no CORS header at all. */
export function installCors(app: FastifyInstance, corsOrigins: string): void {
  const origins = new Set(
    corsOrigins
      .split(',')
      .map((origin) => origin.trim())
      .filter((origin) => origin !== ''),
  );
  if (origins.size === 0) return;
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers;
    reply.header('vary', 'Origin');
    if (origin !== undefined && (origins.has(origin) || origins.has('*'))) {
      reply.header('access-control-allow-origin', origin);
      reply.header('access-control-expose-headers', EXPOSED_HEADERS);
      if (request.method === 'OPTIONS') {
        reply.header('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE, OPTIONS');
        reply.header('access-control-allow-headers', ALLOWED_HEADERS);
        reply.header('access-control-max-age', PREFLIGHT_MAX_AGE_S);
      }
    }
    done();
  });
}
