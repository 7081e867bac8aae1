import { describe, expect, test } from 'vitest';
import { classifyAnswer, type SendOutcome } from './classify.ts';

const PAGE = '<html><body>Something in between</body></html>';

function errorBody(code: unknown, fields: object = {}): string {
  return JSON.stringify({ error: { message: 'No.', type: 'OAuthException', code, ...fields } });
}

function classOf(outcome: SendOutcome): string {
  return outcome.kind === 'refused' ? outcome.rule.retryClass : outcome.kind;
}

describe('an answer without an error of the network itself', () => {
  test.each([
    300, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 405, 407, 408, 409, 410, 413, 421, 425, 451, 499, 501, 505,
    511,
  ])('%d did not take the message: it is tried again', (status) => {
    expect(classifyAnswer(status, PAGE, undefined)).toMatchObject({
      kind: 'refused',
      networkCode: null,
      rule: { code: 'network_not_reached', retryClass: 'transient', alert: false },
    });
  });

  test.each([200, 201, 204, 299, 500, 502, 503, 504, 520, 522, 599])('%d may have taken it: unknown', (status) => {
    expect(classifyAnswer(status, PAGE, undefined).kind).toBe('unknown');
    expect(classifyAnswer(status, '', undefined).kind).toBe('unknown');
  });

  test('429 slows the number down', () => {
    expect(classOf(classifyAnswer(429, PAGE, '3'))).toBe('rate');
    expect(classifyAnswer(429, PAGE, '3')).toMatchObject({ retryAfterMs: 3_000 });
  });

  test.each([
    ['the envelope of another product', JSON.stringify({ error: { code: 403, message: 'RBAC: access denied' } })],
    ['a code that is none', errorBody(131000.5)],
    ['a code beyond an integer', errorBody(1e300)],
    ['a code below zero', errorBody(-5)],
    ['a code that is a text', errorBody('131026')],
    ['a list', '[{"error":{"code":131026}}]'],
    ['an error that is a text', '{"error":"forbidden"}'],
  ])('%s is none of it', (_label, body) => {
    expect(classifyAnswer(403, body, undefined)).toMatchObject({
      networkCode: null,
      rule: { retryClass: 'transient' },
    });
    expect(classifyAnswer(503, body, undefined).kind).toBe('unknown');
  });
});

describe('an error of the network itself', () => {
  test.each([
    [400, errorBody(131026), 'never'],
    [404, errorBody(987654), 'never'],
    [500, errorBody(987654), 'transient'],
    [400, JSON.stringify({ error: { code: 131026 } }), 'never'],
    [401, errorBody(190), 'auth'],
    [200, errorBody(130429), 'rate'],
  ])('with status %d decides: %s is %s', (status, body, retryClass) => {
    expect(classOf(classifyAnswer(status, body, undefined))).toBe(retryClass);
  });

  test('keeps words that can be stored: no NUL, no half characters, at most 500', () => {
    const details = `\0${'a'.repeat(499)}😀\ud800 and more`;
    const outcome = classifyAnswer(400, errorBody(131026, { error_data: { details } }), undefined);
    expect(outcome).toMatchObject({ details: 'a'.repeat(499) });
    const lone = classifyAnswer(400, errorBody(131026, { error_data: { details: 'x\ud800y\0' } }), undefined);
    expect(lone).toMatchObject({ details: 'x\ufffdy' });
  });
});

describe('an id', () => {
  test.each([
    ['wamid.ABC', 'wamid.ABC'],
    ['wamid.\0ABC', 'wamid.ABC'],
    ['wamid.\ud800', 'wamid.\ufffd'],
    ['x'.repeat(512), 'x'.repeat(512)],
  ])('that can be stored is kept as a status would name it: %j', (id, kept) => {
    const outcome = classifyAnswer(200, JSON.stringify({ messages: [{ id }] }), undefined);
    expect(outcome).toEqual({ kind: 'accepted', networkMessageId: kept });
  });

  test.each([
    [''],
    ['\0'],
    ['x'.repeat(513)],
    [null],
    [{}],
    [1.5],
  ])('that is none leaves the outcome unknown: %j', (id) => {
    expect(classifyAnswer(200, JSON.stringify({ messages: [{ id }] }), undefined).kind).toBe('unknown');
  });
});

test.each([
  ['0', 0],
  [' 5 ', 5_000],
  [['7', '9'], 7_000],
  ['31536000', 31_536_000_000],
  ['1e9', null],
  ['-1', null],
  ['', null],
  ['Wed, 21 Oct 2099 07:28:00 GMT', null],
])('Retry-After %j is %j ms', (header, retryAfterMs) => {
  expect(classifyAnswer(429, PAGE, header)).toMatchObject({ retryAfterMs });
});
