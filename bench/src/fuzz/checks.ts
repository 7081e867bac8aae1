import type { FuzzCase } from './cases.ts';
import { expectedOf } from './describe-api.ts';
import type { FuzzAnswer } from './request.ts';

/** Names as in Schemathesis where it has such a check, so that readers recognise them. */
export type CheckName =
  | 'not_a_server_error'
  | 'status_code_conformance'
  | 'content_type_conformance'
  | 'response_headers_conformance'
  | 'response_schema_conformance'
  | 'negative_data_rejection'
  | 'missing_required_header'
  | 'ignored_auth'
  | 'unsupported_method'
  | 'use_after_free'
  | 'ensure_resource_availability'
  | 'idempotent_replay'
  | 'accepted_is_durable'
  | 'answers_in_time'
  | 'lists_every_row'
  | 'walks_each_row_once'
  | 'exports_every_row';

export interface Violation {
  readonly check: CheckName;
  readonly sentence: string;
}

export interface Situation {
  /** Whether connections of the database are being ended: 503 with Retry-After is then an answer like any other. */
  readonly databaseFails: boolean;
}

type Check = (one: FuzzCase, answer: FuzzAnswer, situation: Situation) => string | null;

/**
 * Whether the service said, as it must, that its database was away; in the middle of an answer it can only break off.
 */
export function isAway({ status, headers, cutOff }: FuzzAnswer, { databaseFails }: Situation): boolean {
  return databaseFails && (cutOff || (status === 503 && Number(headers['retry-after']) > 0));
}

const checks: Readonly<Partial<Record<CheckName, Check>>> = {
  not_a_server_error: (_one, answer, situation) => {
    if (isAway(answer, situation)) return null;
    if (answer.cutOff) return `breaks off amid its answer ${answer.status}`;
    return answer.status < 500 ? null : `answers ${answer.status}`;
  },
  status_code_conformance: ({ operation }, answer) =>
    expectedOf(operation, answer) ? null : `answers ${answer.status}${codeOf(answer)}, which is not described`,
  content_type_conformance: contentType,
  response_headers_conformance: headers,
  response_schema_conformance: ({ operation }, answer) => {
    const validate = expectedOf(operation, answer)?.validate;
    if (!validate || answer.json === undefined || validate(answer.json)) return null;
    const [first] = validate.errors ?? [];
    return `answers what its schema forbids: ${first?.instancePath} ${first?.message}`;
  },
  negative_data_rejection: rejection,
  missing_required_header: ({ trick, operation }, { status }) =>
    trick !== 'no_key' || !operation.needsKey || status === 401 ? null : `answers ${status} without a key`,
  ignored_auth: ({ trick, operation }, { status }) =>
    trick !== 'wrong_key' || !operation.needsKey || status === 401 ? null : `answers ${status} to a wrong key`,
  unsupported_method: ({ trick }, { status, headers: { allow } }) =>
    trick !== 'other_method' || (status === 405 && allow !== undefined)
      ? null
      : `answers ${status} and Allow ${allow} to a method that it does not serve`,
};

/** Without its database the service cannot know whose a key is, and says so before it checks the rest. */
const NEED_THE_DATABASE: ReadonlySet<string> = new Set([
  'negative_data_rejection',
  'missing_required_header',
  'ignored_auth',
]);

/** Everything that is wrong with one answer. */
export function violationsOf(one: FuzzCase, answer: FuzzAnswer, situation: Situation): readonly Violation[] {
  const away = isAway(answer, situation);
  const asked = Object.entries(checks).filter(([name]) => !away || !NEED_THE_DATABASE.has(name));
  return asked.flatMap(([name, check]) => {
    const sentence = check(one, answer, situation);
    return sentence === null ? [] : [{ check: name as CheckName, sentence }];
  });
}

function contentType({ operation }: FuzzCase, answer: FuzzAnswer): string | null {
  const expected = expectedOf(operation, answer)?.contentTypes ?? [];
  const [type = ''] = (answer.headers['content-type'] ?? '').split(';');
  if (answer.text === '' || expected.length === 0 || expected.includes('*/*') || expected.includes(type)) return null;
  return `answers ${type || 'no type'} instead of ${expected.join(' or ')}`;
}

/**
 * What comes with a status always; other headers that are described come when there is something to say. X-Request-Id comes with every
 * answer, which the introduction of the document says once.
 */
const ALWAYS: Readonly<Record<number, readonly string[]>> = {
  401: ['www-authenticate'],
  405: ['allow'],
  429: ['retry-after'],
  503: ['retry-after'],
};

function headers({ operation }: FuzzCase, answer: FuzzAnswer): string | null {
  const expected = expectedOf(operation, answer);
  if (expected === null) return null;
  const always = ALWAYS[answer.status] ?? [];
  const undescribed = always.filter((name) => !expected.headers.includes(name));
  const missing = ['x-request-id', ...always].filter((name) => answer.headers[name] === undefined);
  const lacking = [...new Set([...missing, ...undescribed])];
  return lacking.length > 0 ? `lacks ${lacking.join(', ')}` : null;
}

function codeOf({ json }: FuzzAnswer): string {
  const { code } = (json ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' ? ` ${code}` : '';
}

function rejection({ trick, faults }: FuzzCase, answer: FuzzAnswer): string | null {
  if (trick === 'other_method') return null;
  if (trick === 'wrong_type' && answer.status < 400) return `takes text/plain (${answer.status})`;
  if (trick === 'cut_off' && answer.status < 400) return `takes half a body (${answer.status})`;
  if (faults.length === 0 || answer.status >= 400 || refusesPerItem(answer)) return null;
  return `answers ${answer.status} although ${faults.slice(0, 2).join('; ')}`;
}

/** A batch says per message what is wrong. */
function refusesPerItem({ json }: FuzzAnswer): boolean {
  const { data } = (json ?? {}) as { readonly data?: readonly { readonly status?: unknown }[] };
  return Array.isArray(data) && data.some((item) => Number(item?.status) >= 400);
}
