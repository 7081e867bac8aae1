import type { Rng } from '../rng.ts';

/** An answer to a send that says neither that it was accepted nor why it was not. */
export type Garbage = {
  readonly httpStatus: number;
  readonly contentType: string;
  readonly body: Buffer;
};

/** These do not say whether the message was taken. */
const DOUBTFUL = [200, 200, 202, 204, 500, 502, 503, 504, 599];
const STATUSES = [...DOUBTFUL, 301, 302, 304, 400, 401, 403, 404, 410, 429];
const TYPES = [
  'application/json',
  'text/html; charset=utf-8',
  'application/octet-stream',
  'text/plain; charset=utf-16',
];
const MOST_BYTES = 5_000;
const DEEP = 2_000;
/** Where receivers are known to cut a text: in the middle of what follows. */
const CUTS = [200, 255, 499, 500, 999, 1_000, 1_023];

/** Bytes of every kind, as chance has it. @param taken the message was accepted: nothing in the answer denies it */
export function garbageAnswer(rng: Rng, taken: boolean): Garbage {
  const body = pick(rng, taken ? UNREADABLE : [...UNREADABLE, ...PASSING_ERRORS])(rng);
  return {
    httpStatus: pick(rng, taken ? DOUBTFUL : STATUSES),
    contentType: pick(rng, TYPES),
    body: Buffer.isBuffer(body) ? body : Buffer.from(body),
  };
}

const UNREADABLE: readonly ((rng: Rng) => Buffer | string)[] = [
  () => '',
  (rng) => Buffer.from(Array.from({ length: Math.floor(rng() * MOST_BYTES) }, () => Math.floor(rng() * 256))),
  () => '{"messages":[{"id":"wami',
  () => '{"messages":[]}',
  () => '{"messages":[{"id":null}]}',
  () => '{"messages":[{"id":{"a":1}}],"contacts":7}',
  () => '[]',
  () => 'null',
  () => '1e999',
  () => `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`,
  () => '{"__proto__":{"messages":[{"id":"x"}]},"constructor":1}',
  () => '{"error":{"code":131000.5,"message":"no integer"}}',
  () => '{"error":{"code":"131000","message":7,"error_data":{"details":[]}}}',
  () => '{"error":{"code":1e300,"message":null}}',
  () => '{"error":"down"}',
];

/** Errors that pass with time, with texts that no table takes as they are: NUL, half a surrogate pair, an emoji over a cut. */
const PASSING_ERRORS: typeof UNREADABLE = [
  () => error('\\u0000'),
  () => error('\\ud83d'),
  (rng) => error(`${'a'.repeat(pick(rng, CUTS))}😀${'b'.repeat(40)}`),
];

function error(details: string): string {
  return `{"error":{"code":131016,"message":"${details}","error_data":{"details":"${details}"},"fbtrace_id":"${details}"}}`;
}

function pick<T>(rng: Rng, items: readonly T[]): T {
  const item = items[Math.floor(rng() * items.length)];
  if (item === undefined) throw new Error('There is nothing to choose from.');
  return item;
}
