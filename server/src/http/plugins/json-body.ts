import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest, preParsingHookHandler } from 'fastify';
import secureJson from 'secure-json-parse';
import { ApiProblem } from '#core/errors';
import type { JsonValue } from '#core/json';
import { textFault } from '#http/validation/text-faults';

declare module 'fastify' {
  interface FastifyRequest {
    /** The bytes of a JSON body as they came: an idempotency key is bound to them. */
    rawBody: Buffer | null;
  }
}

/** A text of 4096 characters, each escaped as two surrogates, needs 49 KB; templates and contact cards stay below. */
export const MAX_BODY_BYTES = 256 * 1024;

const JSON_TYPE = /^application\/json\b/i;

/** Real bodies nest below 10. Deeper ones only cost. */
export const MAX_NESTING = 32;

/** Makes application/json the only content type of this scope, and refuses what PostgreSQL or a reader could trip over. */
export function installJsonBody(app: FastifyInstance, guard: preParsingHookHandler): void {
  app.removeAllContentTypeParsers();
  app.addHook('preParsing', function guardJson(request, reply, payload, done) {
    // Any other type is refused before it is read, or is a table, which is read as a stream.
    if (!JSON_TYPE.test(request.headers['content-type'] ?? '')) return done(null, payload);
    guard.call(this, request, reply, payload, done);
  });
  app.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES },
    (request, bytes, done) => {
      try {
        done(null, parseJsonBody(request, bytes));
      } catch (error) {
        done(error as Error);
      }
    },
  );
}

/**
 * @returns the value of the body; undefined when it is empty
 * @throws ApiProblem malformed_json, validation_failed or unsupported_media_type
 */
function parseJsonBody(request: FastifyRequest, bytes: Buffer): JsonValue | undefined {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new ApiProblem('unsupported_media_type', { sentence: 'Send the body without a Content-Encoding.' });
  }
  request.rawBody = bytes;
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw new ApiProblem('malformed_json', { sentence: 'The body is not valid UTF-8.' });
  return parseStorableJson(bytes.toString('utf8'));
}

/**
 * A value that PostgreSQL can store and readers survive, from JSON text of a caller.
 * @throws ApiProblem malformed_json, validation_failed
 */
export function parseStorableJson(text: string, name = 'body'): JsonValue {
  const value = parseText(text);
  const fault = needsWalk(text) ? textFault(value, { name, maxNesting: MAX_NESTING }) : null;
  if (fault) throw new ApiProblem('validation_failed', { sentence: fault.message, details: [fault] });
  return value;
}

/** What names of fields that are refused cannot be written without, and a byte order mark; a text without them is plain. */
const SUSPICIOUS = ['__proto__', 'constructor', '\\u', '\uFEFF'] as const;

function parseText(text: string): JsonValue {
  try {
    if (!SUSPICIOUS.some((part) => text.includes(part))) return JSON.parse(text) as JsonValue;
    return secureJson.parse(text, null, { protoAction: 'error', constructorAction: 'error' });
  } catch (error) {
    throw jsonProblem(error instanceof Error ? error.message : '');
  }
}

function jsonProblem(reason: string): ApiProblem {
  if (reason.includes('forbidden prototype')) {
    const message = 'The body contains the field __proto__ or constructor.prototype, which is not accepted.';
    return new ApiProblem('validation_failed', { sentence: message, details: [{ path: 'body', message }] });
  }
  return new ApiProblem('malformed_json', { sentence: `The body is not valid JSON${whereFrom(reason)}.` });
}

/** What the engine knows about the place: a position in a long text, only the token in a short one. */
function whereFrom(reason: string): string {
  if (reason.includes('end of JSON input')) return ': it ends too early';
  const position = /position (\d+)/.exec(reason)?.[1];
  if (position !== undefined) return ` at character ${position}`;
  const token = /token '(.)'/u.exec(reason)?.[1];
  return token === undefined ? '' : `: unexpected "${token}"`;
}

/**
 * Whether the value must be looked at: raw NUL and lone surrogates are already excluded (the first is invalid JSON, the
 * second invalid UTF-8), so only a `\u` escape can bring one in, and only more than MAX_NESTING opening brackets can nest
 * too deeply. Nearly no body needs it.
 */
function needsWalk(text: string): boolean {
  return text.includes('\\u') || occurrences(text, '{') + occurrences(text, '[') > MAX_NESTING;
}

/** How often a bracket occurs; it stops where more do not matter. */
function occurrences(text: string, bracket: string): number {
  let count = 0;
  for (let at = text.indexOf(bracket); at !== -1 && count <= MAX_NESTING; at = text.indexOf(bracket, at + 1))
    count += 1;
  return count;
}
