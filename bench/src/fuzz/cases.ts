import fc, { type Arbitrary } from 'fast-check';
import { PHONE_NUMBER_ID } from '../harness/server.ts';
import type { Api, FuzzOperation, Parameter } from './describe-api.ts';
import { FORM_TYPE, formOf, idsForPath, type KnownIds, pictureBytes } from './known-ids.ts';
import { toJson } from './odd-values.ts';
import type { FuzzRequest } from './request.ts';
import { hostileTexts, spoiled } from './spoil.ts';
import { type Hints, type ValueRules, valuesOf } from './values.ts';

/** What is done to a request beside its values. */
export const tricks = ['none', 'no_key', 'wrong_key', 'wrong_type', 'cut_off', 'other_method'] as const;
export type Trick = (typeof tricks)[number];

/** A request, and what is known to be wrong with it. */
export interface FuzzCase {
  readonly operation: FuzzOperation;
  readonly trick: Trick;
  readonly request: FuzzRequest;
  /** What the document forbids; none: it may succeed. */
  readonly faults: readonly string[];
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const phone = fc.integer({ min: 0, max: 9_999_999 }).map((number) => `44770${String(number).padStart(7, '0')}`);

/** Values that a schema cannot know: what exists, and what the network takes. */
function hintsOf(known: KnownIds): Hints {
  const one = (ids: readonly string[]): Arbitrary<unknown> => fc.constantFrom(...ids);
  return new Map<string, Arbitrary<unknown>>([
    ['to', phone],
    ['media_id', one(known.media)],
    ['reply_to', one([...known.messages, ...known.inbound])],
    ['message_id', one([...known.messages, ...known.inbound])],
    ['contact_id', one(known.contacts)],
    ['link', fc.constant('https://shop.example/a.jpg')],
    ['currency', fc.constant('EUR')],
    [
      'allowed_ips',
      fc.constantFrom(['127.0.0.0/8'], ['198.51.100.7', '2001:db8::/32'], ['300.1.1.1'], ['10.0.0.0/33']),
    ],
    ['phone_number_ids', fc.constantFrom([PHONE_NUMBER_ID], ['1'])],
  ]);
}

/** An agent that does not exist. */
const NOBODY = '0190a6f2-9a00-7b00-8c00-0a1b2c3d4e5f';

/** Headers by name: those that the document describes as strings have a grammar of their own. */
const headerValues: Readonly<Record<string, readonly string[]>> = {
  'Idempotency-Key': ['once', 'twice', 'x'.repeat(255), 'x'.repeat(256), 'two words', '~!@#'],
  // Never one that is granted: each would hold the run up for seconds.
  Prefer: ['wait=0', 'wait=31', 'wait=x', 'respond-async', ';;;'],
  'X-Request-Id': ['fuzz-1', 'two words', '<script>', 'x'.repeat(200)],
  Range: ['bytes=0-3', 'bytes=-2', 'bytes=9999999-', 'bytes=3-1', 'bytes=0-1,3-4', 'lines=1'],
  'If-None-Match': ['*', '"x"', 'W/"x"', ',,,'],
  'Tus-Resumable': ['1.0.0', '1.0.0', '1.0.0', '0.2.2', 'x'],
  'Upload-Offset': ['0', '0', '0', '5', '-1', 'x', '99999999999999999999'],
  'Upload-Length': ['100', '100', '0', '-1', 'x', '99999999999999999999'],
  'Upload-Metadata': ['filename YS5wZGY=', 'filename !', ',,,', 'x'.repeat(3_000)],
  'Upload-Checksum': ['sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=', 'sha1 !', 'crc32 AAAA', 'x'],
};

interface Parts {
  readonly trick: Trick;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: BodyPart;
  readonly otherMethod: string;
}

export interface BodyPart {
  readonly bytes: Buffer | null;
  readonly type: string | null;
  readonly faults: readonly string[];
}

/** Requests of one operation, valid and not. */
export function casesOf(operation: FuzzOperation, api: Api, known: KnownIds, key: string): Arbitrary<FuzzCase> {
  const rules: ValueRules = { hints: hintsOf(known), resolve: api.resolve, beside: true };
  const others = METHODS.filter((method) => !operation.served.includes(method));
  const parts: Arbitrary<Parts> = fc.record({
    trick: fc.oneof(
      { weight: 2, arbitrary: fc.constant<Trick>('none') },
      { weight: 1, arbitrary: fc.constantFrom(...tricks) },
    ),
    path: fc.record(
      Object.fromEntries(inPlace(operation, 'path').map((one) => [one.name, pathValues(one, operation, known)])),
    ),
    query: queryOf(operation, rules),
    headers: headersOf(operation, known),
    body: bodyOf(operation, rules),
    otherMethod: fc.constantFrom(...others),
  });
  return parts.map((made) => assemble(operation, made, key));
}

function inPlace(operation: FuzzOperation, place: Parameter['in']): readonly Parameter[] {
  return operation.parameters.filter((parameter) => parameter.in === place);
}

function pathValues({ schema, name }: Parameter, { path }: FuzzOperation, known: KnownIds): Arbitrary<string> {
  const ids = idsForPath(known, path, name);
  const strange = fc.oneof(
    fc.uuid(),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).filter((text) => !/^\.+$/.test(text)),
    fc.constantFrom('0', 'x'.repeat(400), "' or 1=1", '\u0000'),
  );
  const named = schema.enum === undefined ? [] : [fc.constantFrom(...(schema.enum as string[]))];
  const real = ids.length === 0 ? named : [fc.constantFrom(...ids)];
  return fc.oneof(...real.map((arbitrary) => ({ weight: 3, arbitrary })), { weight: 1, arbitrary: strange });
}

/** Seconds that an answer may wait for an event: valid ones are short, or the run would wait most of its time. */
const WAITS = [-1, 0, 1, 31];
/** At most so many together: with more, one of them is always wrong, and nothing else is ever tested. */
const MOST_PARAMETERS = 2;

function queryOf(operation: FuzzOperation, rules: ValueRules): Arbitrary<Readonly<Record<string, string>>> {
  const known = inPlace(operation, 'query').map(({ name, schema }) => {
    const values = fc.oneof(
      { weight: 4, arbitrary: name === 'wait' ? fc.constantFrom(...WAITS) : valuesOf(schema, rules, name) },
      { weight: 1, arbitrary: fc.oneof(fc.string(), fc.constantFrom(...hostileTexts)) },
    );
    return values.map((value) => [name, String(value)] as const);
  });
  const given =
    known.length === 0
      ? fc.constant([])
      : fc
          .subarray(known, { maxLength: Math.min(known.length, MOST_PARAMETERS) })
          .chain((chosen) => fc.tuple(...chosen));
  const surplus = fc.constantFrom({}, {}, {}, {}, {}, {}, {}, { tenant_id: 'x' }, { constructor: 'x' });
  return fc
    .tuple(given, surplus)
    .map(([query, more]) => ({ ...Object.fromEntries(query), ...more }) as Record<string, string>);
}

function headersOf(operation: FuzzOperation, ids: KnownIds): Arbitrary<Readonly<Record<string, string>>> {
  const all: typeof headerValues = { ...headerValues, 'X-Agent-Id': [...ids.agents, NOBODY, 'x'] };
  const known = inPlace(operation, 'header').map(({ name, required }) => {
    const values = fc.constantFrom(...(all[name] ?? ['', 'x', '0']));
    const absent = { weight: 3, arbitrary: fc.constant('') };
    // An upload is refused without these, so they are there more often than not.
    const ofUpload = operation.bodyType !== 'form' && (name === 'Tus-Resumable' || name === 'Upload-Offset');
    const usual = ofUpload || required;
    return [name, usual ? values : fc.oneof(absent, { weight: 1, arbitrary: values })] as const;
  });
  return fc
    .record(Object.fromEntries(known))
    .map(
      (headers) =>
        Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== '')) as Record<string, string>,
    );
}

function bodyOf(operation: FuzzOperation, rules: ValueRules): Arbitrary<BodyPart> {
  const none: BodyPart = {
    bytes: null,
    type: null,
    faults: operation.bodyRequired ? ['the body is missing'] : [],
  };
  const { bodySchema } = operation;
  if (bodySchema === null || operation.bodyType === null) return fc.constant({ ...none, faults: [] });
  if (operation.bodyType === 'bytes') {
    const type = 'application/offset+octet-stream';
    return fc.uint8Array({ maxLength: 200 }).map((bytes) => ({ bytes: Buffer.from(bytes), type, faults: [] }));
  }
  if (operation.bodyType === 'form') return formBodies();
  const examples = operation.examples.length > 0 ? operation.examples : [{}];
  const values = fc.oneof(
    fc.constantFrom(...examples),
    valuesOf(bodySchema, rules),
    fc.constantFrom(...examples).chain(spoiled),
    valuesOf(bodySchema, { ...rules, beside: false }).chain(spoiled),
  );
  const written = values.map((value) => jsonPart(operation, value));
  return fc.oneof({ weight: 19, arbitrary: written }, { weight: 1, arbitrary: fc.constant(none) });
}

function formBodies(): Arbitrary<BodyPart> {
  const files = fc.oneof(
    fc.nat(1_000).map(pictureBytes),
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  );
  const fields = fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.constantFrom({ mime_type: 'image/png' }, { mime_type: 'x' }, { phone_number_id: '1' }) },
    { weight: 1, arbitrary: fc.constant({ tenant_id: 'x' }) },
  );
  return fc.tuple(files, fields).map(([file, given]) => {
    const faults = [...('tenant_id' in given ? ['tenant_id is no field of the form'] : [])];
    return { bytes: formOf(file, given as Record<string, string>), type: FORM_TYPE, faults };
  });
}

/** A body of JSON, and what the document says against it. */
export function jsonPart({ validateBody }: FuzzOperation, value: unknown): BodyPart {
  const text = toJson(value) ?? 'null';
  const valid = validateBody?.(JSON.parse(text)) ?? true;
  const faults = valid
    ? []
    : (validateBody?.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  return { bytes: Buffer.from(text), type: 'application/json', faults };
}

function assemble(
  operation: FuzzOperation,
  { trick, path, query, headers, body, otherMethod }: Parts,
  key: string,
): FuzzCase {
  const search = new URLSearchParams(query).toString();
  const where = operation.path.replace(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(path[name] ?? ''));
  const type = trick === 'wrong_type' ? 'text/plain' : body.type;
  const authorization = { no_key: {}, wrong_key: { authorization: 'Bearer garbage' } }[trick as string];
  const faults = [
    ...body.faults,
    ...(operation.validateQuery({ ...query }) ? [] : ['the query']),
    ...inPlace(operation, 'path').filter(
      ({ name, schema }) => schema.format === 'uuid' && !UUID.test(path[name] ?? ''),
    ),
  ].map((fault) => (typeof fault === 'string' ? fault : `${fault.name} is no UUID`));
  return {
    operation,
    trick: applicable(trick, body),
    faults,
    request: {
      method: trick === 'other_method' ? otherMethod : operation.method,
      path: search === '' ? where : `${where}?${search}`,
      headers: {
        ...(authorization ?? { authorization: `Bearer ${key}` }),
        ...(body.bytes === null || type === null ? {} : { 'content-type': type }),
        ...headers,
      },
      body: trick === 'cut_off' && body.bytes !== null ? body.bytes.subarray(0, -1) : body.bytes,
    },
  };
}

/** Without a body there is nothing to cut off, and no type to be wrong. */
function applicable(trick: Trick, { bytes, type }: BodyPart): Trick {
  const needsBody = trick === 'wrong_type' || trick === 'cut_off';
  if (!needsBody) return trick;
  if (bytes === null || bytes.length < 2) return 'none';
  return trick === 'cut_off' && type !== 'application/json' ? 'none' : trick;
}
