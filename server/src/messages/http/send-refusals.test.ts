import { describe, expect, test } from 'vitest';
import { ApiProblem } from '#core/errors';
import { sendErrorExamples } from '#http/schemas/examples';
import { authorization, fakeApi, readOnly } from '#http/testing/fake-api';
import { good, post } from '#http/testing/post-message';

const api = fakeApi();

const nameSentence = 'reply_to must be the ID of a message, here or on the network.';
const timeSentence = 'send_at must be an RFC 3339 time with a zone, for example 2030-01-31T09:00:00Z.';
const digitsSentence = 'phone_number_id must be a string of digits, as the messaging network names the number.';
const objectSentence = 'The body must be a JSON object.';
const cases: readonly (readonly [label: string, payload: string | Buffer | object, sentence: string])[] = [
  ['no recipient', { body: 'x' }, 'to is required.'],
  ['no text', { to: '447700900123' }, 'body is required.'],
  ['a recipient that is a number', { ...good, to: 447700900123 }, 'to must be a string.'],
  ['an empty text', { ...good, body: '' }, 'body must not be empty.'],
  ['a text of 4097', { ...good, body: 'x'.repeat(4097) }, 'body has 4097 characters; it may have at most 4096.'],
  ['an unknown field', { ...good, colour: 'red' }, 'colour is not a known field here.'],
  ['another type', { ...good, type: 'fax' }, 'type must be one of text, template, image'],
  ['a preview_url in quotes', { ...good, preview_url: 'true' }, 'preview_url must be true or false.'],
  ['a phone_number_id with letters', { ...good, phone_number_id: 'a1' }, digitsSentence],
  ['an empty campaign_name', { ...good, campaign_name: '' }, 'campaign_name must not be empty.'],
  [
    'a client_ref of 513',
    { ...good, client_ref: 'x'.repeat(513) },
    'client_ref has 513 characters; it may have at most 512.',
  ],
  ['a reply_to that is no id', { ...good, reply_to: '42' }, nameSentence],
  ['an unknown priority', { ...good, priority: 'now' }, 'priority must be one of high, normal, bulk.'],
  ['a time without zone', { ...good, send_at: '2030-01-01T10:00:00' }, timeSentence],
  ['a day that does not exist', { ...good, send_at: '2030-02-30T10:00:00Z' }, timeSentence],
  ['a validity of nothing', { ...good, ttl_s: 0 }, 'ttl_s must be a whole number from 1 to 2592000.'],
  ['half a second', { ...good, ttl_s: 1.5 }, 'ttl_s must be a whole number from 1 to 2592000.'],
  [
    'two validities',
    { ...good, ttl_s: 60, expires_at: '2030-01-01T10:00:00Z' },
    'expires_at and ttl_s exclude each other: send one of them.',
  ],
  ['a list', '[]', objectSentence],
  ['null', 'null', objectSentence],
  ['nothing', '', objectSentence],
  ['broken JSON', '{"to": oops}', 'The body is not valid JSON: unexpected "o".'],
  ['truncated JSON', '{"to": "4477', 'The body is not valid JSON'],
  ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 'The body is not valid UTF-8.'],
  [
    'NUL',
    '{"to":"447700900123","body":"a\\u0000"}',
    'body contains the character U+0000, which is not a valid character.',
  ],
  [
    'half a pair',
    '{"to":"447700900123","body":"\\ud800"}',
    'body contains half a surrogate pair, which is not a valid character.',
  ],
  ['NUL in a name', '{"a\\u0000":1}', 'The name of a field in The body contains the character U+0000'],
  [
    '100 levels',
    `{"to":"447700900123","body":"x","z":${'['.repeat(100)}${']'.repeat(100)}}`,
    'z is nested too deeply.',
  ],
  [
    '40 levels of both kinds, of neither too many',
    `{"to":"447700900123","body":"x","z":${'[{"a":'.repeat(20)}1${'}]'.repeat(20)}}`,
    'z is nested too deeply.',
  ],
  ['100,000 levels', '['.repeat(100_000) + ']'.repeat(100_000), 'The body is nested too deeply.'],
  ['__proto__', '{"to":"4","body":"x","__proto__":{"admin":true}}', 'The body contains the field __proto__'],
  ['an escaped __proto__', '{"to":"4","body":"x","\\u005f_proto__":{}}', 'The body contains the field __proto__'],
  [
    'constructor.prototype',
    '{"constructor":{"prototype":{}}}',
    'The body contains the field __proto__ or constructor.prototype',
  ],
];

describe('POST /v1/messages refuses with 400, naming the field, and nothing reaches the acceptor:', () => {
  test.each(cases)('%s', async (_label, payload, sentence) => {
    const answer = await post(api, payload);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error).toContain(sentence);
    expect(answer.json().code).toMatch(/^(validation_failed|malformed_json)$/);
    expect(api.accepted).toEqual([]);
  });
});

describe('POST /v1/messages refuses also', () => {
  test('a number that cannot be one together with every other fault', async () => {
    const answer = await post(api, { to: '+44 (0) 770', body: '', colour: 'red' });
    const { details } = answer.json();
    const paths = details.map(({ path }: { path: string }) => path);
    expect([answer.statusCode, paths.toSorted()]).toEqual([400, ['body.body', 'body.colour', 'body.to']]);
    expect(details).toContainEqual({ path: 'body.to', message: 'to has 6 digits; a number has 7 to 15.' });
  });

  test('all faults at once, as documented', async () => {
    const answer = await post(api, '{"body": "", "colour": "red"}');
    expect(answer.json()).toEqual(sendErrorExamples[0]?.body);
  });

  test('a body that ends too early, as documented', async () => {
    const [, truncated] = sendErrorExamples;
    expect((await post(api, '{"to": ')).json()).toEqual(truncated?.body);
  });

  test('ten thousand unknown fields, with a short answer', async () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_item, index) => [`f${index}`, 1]));
    const answer = await post(api, many);
    expect(answer.json().details).toHaveLength(50);
  });

  test('an unknown query parameter', async () => {
    const headers = { authorization };
    const answer = await api.app.inject({ method: 'POST', url: '/v1/messages?dry=1', headers, payload: good });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().details).toEqual([{ path: 'query.dry', message: 'dry is not a known query parameter here.' }]);
  });

  test('another refusal of the operation, in its own sentence', async () => {
    const api = fakeApi();
    const details = [{ path: 'body.reply_to', message: 'does not name a message of this tenant' }];
    api.answerWith(() => Promise.reject(new ApiProblem('unknown_reply_to', { details })));
    const answer = await post(api, good);
    expect(answer.json()).toEqual({
      error: 'reply_to does not name a message of this tenant.',
      code: 'unknown_reply_to',
      details,
    });
  });

  test('what the operation found, with a sentence that names the fields', async () => {
    const details = [{ path: 'body.to', message: 'to has 6 digits; a number has 7 to 15.' }];
    const api = fakeApi();
    api.answerWith(() => Promise.reject(new ApiProblem('validation_failed', { details })));
    const answer = await post(api, good);
    expect(answer.json()).toEqual({
      error: 'to has 6 digits; a number has 7 to 15.',
      code: 'validation_failed',
      details,
    });
  });
});

describe('POST /v1/messages refuses', () => {
  const keys = [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Basic abc',
    'Bearer nobody-knows-this-key',
    `Bearer ${'x'.repeat(9000)}`,
  ];
  test.each(keys)('the key %s with 401', async (key) => {
    const headers = key === undefined ? {} : { authorization: key };
    const answer = await api.app.inject({ method: 'POST', url: '/v1/messages', headers, payload: good });
    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(answer.json().code).toBe('unauthorized');
    expect(api.accepted).toEqual([]);
  });

  test('a key without the scope with 403, naming it', async () => {
    const answer = await post(api, good, { authorization: readOnly });
    expect(answer.statusCode).toBe(403);
    expect(answer.json().error).toBe('This API key lacks the scope messages:write.');
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
  ])('the content type %s with 415', async (type) => {
    const answer = await post(api, 'x', { 'content-type': type });
    expect(answer.statusCode).toBe(415);
    expect(answer.json().code).toBe('unsupported_media_type');
  });

  test('a compressed body with 415', async () => {
    expect((await post(api, good, { 'content-encoding': 'gzip' })).statusCode).toBe(415);
  });

  test('a body of 2 MB with 413', async () => {
    const answer = await post(api, { ...good, body: 'x'.repeat(2_000_000) });
    expect(answer.statusCode).toBe(413);
    expect(answer.json().code).toBe('payload_too_large');
  });
});
