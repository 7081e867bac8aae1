import { expect, test } from 'vitest';
import type { FuzzCase, Trick } from './cases.ts';
import { type CheckName, violationsOf } from './checks.ts';
import { describeApi } from './describe-api.ts';
import type { FuzzAnswer } from './request.ts';

/* A checker is worth something only when it finds its fault: each check, against an answer that breaks it. */
const json = (schema: object) => ({
  headers: { 'X-Request-Id': {} },
  content: { 'application/json': { schema } },
});
const failure = {
  ...json({ type: 'object', required: ['error'] }),
  headers: { 'X-Request-Id': {}, Allow: {}, 'WWW-Authenticate': {}, 'Retry-After': {} },
};
/** Errors that every operation has are named by the description. */
const common = { ...failure, description: '- `late`: This came too late.' };
const { operations } = describeApi({
  paths: {
    '/things': {
      post: {
        operationId: 'makeThing',
        requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
        responses: {
          200: json({ $ref: '#/components/schemas/Thing' }),
          400: failure,
          401: failure,
          405: failure,
          503: failure,
          default: common,
        },
      },
    },
  },
  components: {
    schemas: { Thing: { type: 'object', required: ['id'], properties: { id: { type: 'string', format: 'uuid' } } } },
  },
});

const thing = { id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01' };
const error = { error: 'No.' };
const usual = { 'x-request-id': '1', 'content-type': 'application/json; charset=utf-8' };

function caseOf(trick: Trick, faults: readonly string[] = []): FuzzCase {
  const [operation] = operations;
  if (operation === undefined) throw new Error('The document has no operation.');
  return { operation, trick, faults, request: { method: 'POST', path: '/things', headers: {}, body: null } };
}

function answerOf(status: number, body: unknown, headers: Record<string, string | undefined> = {}): FuzzAnswer {
  return { status, headers: { ...usual, ...headers }, text: JSON.stringify(body), json: body, cutOff: false };
}

const broken: readonly (readonly [check: CheckName, one: FuzzCase, answer: FuzzAnswer])[] = [
  ['not_a_server_error', caseOf('none'), answerOf(500, error)],
  ['not_a_server_error', caseOf('none'), answerOf(503, error, { 'retry-after': '1' })],
  ['not_a_server_error', caseOf('none'), { ...answerOf(200, thing), cutOff: true }],
  ['status_code_conformance', caseOf('none'), answerOf(418, error)],
  ['status_code_conformance', caseOf('none'), answerOf(409, { ...error, code: 'early' })],
  ['status_code_conformance', caseOf('none'), answerOf(201, { ...thing, code: 'late' })],
  ['response_schema_conformance', caseOf('none'), answerOf(409, { code: 'late' })],
  ['content_type_conformance', caseOf('none'), answerOf(200, thing, { 'content-type': 'text/html' })],
  ['response_headers_conformance', caseOf('none'), answerOf(200, thing, { 'x-request-id': undefined })],
  ['response_headers_conformance', caseOf('no_key'), answerOf(401, error)],
  ['response_schema_conformance', caseOf('none'), answerOf(200, { id: 'no uuid' })],
  ['response_schema_conformance', caseOf('none'), answerOf(400, { message: 'No.' })],
  ['negative_data_rejection', caseOf('none', ['/id must be a text']), answerOf(200, thing)],
  ['negative_data_rejection', caseOf('wrong_type'), answerOf(200, thing)],
  ['negative_data_rejection', caseOf('cut_off'), answerOf(200, thing)],
  ['missing_required_header', caseOf('no_key'), answerOf(200, thing)],
  ['ignored_auth', caseOf('wrong_key'), answerOf(200, thing)],
  ['unsupported_method', caseOf('other_method'), answerOf(200, thing)],
  ['unsupported_method', caseOf('other_method'), answerOf(405, error)],
];

test.each(broken)('%s finds what it is for', (check, one, answer) => {
  const found = violationsOf(one, answer, { databaseFails: false }).map((violation) => violation.check);
  expect(found).toContain(check);
});

test.each([
  ['a success', caseOf('none'), answerOf(200, thing)],
  ['a refusal of a fault', caseOf('none', ['a fault']), answerOf(400, error)],
  ['a 401 with its header', caseOf('no_key'), answerOf(401, error, { 'www-authenticate': 'Bearer' })],
  ['an error that every operation has', caseOf('none'), answerOf(409, { ...error, code: 'late' })],
  ['a 405 with its header', caseOf('other_method'), answerOf(405, error, { allow: 'POST' })],
])('nothing is wrong with %s', (_label, one, answer) => {
  expect(violationsOf(one, answer, { databaseFails: false })).toEqual([]);
});

test('a 503 with Retry-After is an answer only while the database fails, and never without the header', () => {
  const away = answerOf(503, error, { 'retry-after': '1' });
  for (const one of [caseOf('none', ['a fault']), caseOf('wrong_key')])
    expect(violationsOf(one, away, { databaseFails: true })).toEqual([]);
  const found = violationsOf(caseOf('none'), answerOf(503, error), { databaseFails: true });
  expect(found.map(({ check }) => check)).toEqual(['not_a_server_error', 'response_headers_conformance']);
});
