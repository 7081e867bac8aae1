import type { IncomingMessage } from 'node:http';

/** Characters that are safe in a log line, a header and a shell. */
const SAFE_REQUEST_ID = /^[A-Za-z0-9._:/+=@-]{1,128}$/;
const PREFIX_RANGE = 36 ** 6;

/**
 * Names each request: the caller's X-Request-Id when it is 1 to 128 safe characters, else a counter behind a prefix
 * that differs per process. Much cheaper than a UUID, and this runs on every request.
 * @param random uniform in [0, 1)
 */
export function requestIdMaker(random: () => number): (request: IncomingMessage) => string {
  const prefix = `${Math.floor(random() * PREFIX_RANGE)
    .toString(36)
    .padStart(6, '0')}-`;
  let count = 0;
  return (request) => {
    const given = request.headers['x-request-id'];
    if (typeof given === 'string' && SAFE_REQUEST_ID.test(given)) return given;
    count += 1;
    return prefix + count.toString(36);
  };
}
