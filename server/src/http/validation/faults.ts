import type { FaultDetail } from '#core/errors';
import { ApiProblem, apiErrors } from '#core/errors';
import { PATTERN_SENTENCE, RULES, TAGS } from '#http/schemas/fields';

/** More faults than this say nothing new, and would let a small request ask for a large answer. */
const MAX_FAULTS = 50;
/** As many faults as fit into one readable sentence; `details` has the others. */
const MAX_SUMMARY = 3;
const MAX_NAME_CHARACTERS = 64;

/** What a validator says about one fault; the part of Ajv's report that is used here. */
export interface SchemaFault {
  readonly keyword: string;
  /** JSON pointer of the value: `/to`. */
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly schema?: unknown;
  readonly parentSchema?: Readonly<Record<string, unknown>>;
  readonly data?: unknown;
}

type FaultPlace = 'body' | 'query' | 'header';

const places: Readonly<Record<string, FaultPlace>> = {
  body: 'body',
  querystring: 'query',
  headers: 'header',
};

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'a JSON object',
  array: 'an array',
};

const formatSentences: Readonly<Record<string, string>> = {
  uuid: 'must be a UUID, for example 0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01',
  'date-time': 'must be an RFC 3339 time with a zone, for example 2030-01-31T09:00:00Z',
};

/**
 * Turns what the validator found into sentences, one per field.
 * @param context Fastify's name of the part: body, querystring, headers
 */
export function validationProblem(faults: readonly SchemaFault[], context: string | undefined): ApiProblem {
  const place = places[context ?? 'body'] ?? 'body';
  const byPath = new Map<string, FaultDetail>();
  for (const fault of faults) {
    const detail = faultDetail(fault, place);
    // The first fault of a field is the one to fix first: a text of the wrong type needs no length.
    if (!byPath.has(detail.path) && byPath.size < MAX_FAULTS) byPath.set(detail.path, detail);
  }
  return problemOf([...byPath.values()]);
}

/** A validation_failed whose sentence names the fields. */
export function problemOf(details: readonly FaultDetail[]): ApiProblem {
  return new ApiProblem('validation_failed', { sentence: summarise(details), details });
}

/** One sentence (or few) for people; `details` is for programs. */
export function summarise(details: readonly FaultDetail[]): string {
  if (details.length === 0) return apiErrors.validation_failed.sentence;
  const said = details.slice(0, MAX_SUMMARY).map((detail) => detail.message);
  const rest = details.length - said.length;
  return rest > 0 ? `${said.join(' ')} And ${rest} more.` : said.join(' ');
}

function faultDetail(fault: SchemaFault, place: FaultPlace): FaultDetail {
  const field = fieldName(fault);
  const path = field === '' ? place : `${place}.${field}`;
  const subject = field === '' ? `The ${place}` : field;
  return { path, message: `${sentence(fault, subject, place)}.` };
}

function fieldName({ keyword, instancePath, params }: SchemaFault): string {
  const { missingProperty, additionalProperty, tag, at } = params;
  const extra = missingProperty ?? additionalProperty ?? (keyword === 'discriminator' ? tag : undefined);
  const steps = instancePath.split('/').slice(1).map(unescaped);
  if (typeof extra === 'string') steps.push(extra.slice(0, MAX_NAME_CHARACTERS));
  // A rule names the place from its own object on.
  if (typeof at === 'string' && at !== '') steps.push(at);
  return steps.reduce(joined, '');
}

/** `a.b[0].c`: a step that is a number, or begins with a bracket, is a place in a list. */
function joined(path: string, step: string): string {
  if (step.startsWith('[')) return `${path}${step}`;
  if (/^\d+$/.test(step)) return `${path}[${step}]`;
  return path === '' ? step : `${path}.${step}`;
}

function unescaped(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

function sentence(fault: SchemaFault, subject: string, place: FaultPlace): string {
  switch (fault.keyword) {
    case 'required':
      return `${subject} is required`;
    case 'additionalProperties':
      return `${subject} is not a known ${place === 'query' ? 'query parameter' : 'field'} here`;
    case 'enum':
      return `${subject} must be ${listed(fault.params.allowedValues)}`;
    case 'format':
      return `${subject} ${formatSentences[String(fault.params.format)] ?? `must be a valid ${fault.params.format}`}`;
    case 'maxLength':
      return `${subject} has ${sizeOf(fault.data)} characters; it may have at most ${fault.params.limit}`;
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return `${subject} ${tooLittle(fault)}`;
    case 'maxItems':
    case 'maxProperties':
      return `${subject} has ${sizeOf(fault.data)} entries; it may have at most ${fault.params.limit}`;
    case 'discriminator':
      return `${subject} ${wrongTag(fault)}`;
    case RULES:
      return `${subject} ${fault.params.message}`;
    case 'not':
      return described(fault.schema) ?? `${subject} is not valid`;
    case 'pattern':
      return `${subject} ${described(fault.parentSchema, PATTERN_SENTENCE) ?? 'has an invalid format'}`;
    case 'type':
    case 'minimum':
    case 'maximum':
      return `${subject} must be ${expected(fault.parentSchema ?? {})}`;
    default:
      return `${subject} is not valid (${fault.keyword})`;
  }
}

function tooLittle({ keyword, data, params }: SchemaFault): string {
  if (Number(params.limit) === 1) return 'must not be empty';
  const what = keyword === 'minLength' ? 'characters' : 'entries';
  return `has ${sizeOf(data)} ${what}; it needs at least ${params.limit}`;
}

function sizeOf(data: unknown): number {
  if (typeof data === 'string') return [...data].length;
  return Array.isArray(data) ? data.length : Object.keys(data ?? {}).length;
}

/** The field that tells several objects apart: absent, no text, or none of the texts that the objects have. */
function wrongTag({ params, parentSchema }: SchemaFault): string {
  if (params.tagValue === undefined) return 'is required';
  return `must be ${listed(parentSchema?.[TAGS])}`;
}

function listed(values: unknown): string {
  const names = Array.isArray(values) ? values.map(String) : [];
  return names.length > 1 ? `one of ${names.join(', ')}` : `"${names.join('')}"`;
}

/** `a whole number from 1 to 1000`, `a text`: from the schema itself, so that it cannot disagree with it. */
function expected(schema: Readonly<Record<string, unknown>>): string {
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type]).filter((type) => type !== 'null');
  const type = types.map((name) => typeNames[String(name)] ?? String(name)).join(' or ');
  if (schema.minimum === undefined) return type;
  return schema.maximum === undefined
    ? `${type} of ${schema.minimum} or more`
    : `${type} from ${schema.minimum} to ${schema.maximum}`;
}

function described(schema: unknown, key = 'description'): string | undefined {
  const text = (schema as Readonly<Record<string, unknown>> | undefined)?.[key];
  return typeof text === 'string' ? text : undefined;
}
