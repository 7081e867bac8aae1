import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { interpretCallback, MAX_CALLBACK_ITEMS } from './callback.ts';
import type { CallbackItem } from './callback-items.ts';

const NUMBER = '700800900';
const CUSTOMER = '15550002222';
const USER_ID = 'US.10000000000000000001';

function callback(value: object, field = 'messages'): { object: string; entry: object[] } {
  const metadata = { display_phone_number: '15550001111', phone_number_id: NUMBER };
  const change = { field, value: { messaging_product: 'whatsapp', metadata, ...value } };
  return { object: 'whatsapp_business_account', entry: [{ id: '300400500', changes: [change] }] };
}

function message(parts: object): object {
  return { from: CUSTOMER, id: 'wamid.IN', timestamp: '1790000000', ...parts };
}

function status(parts: object): object {
  return { id: 'wamid.OUT', status: 'sent', timestamp: '1790000001', recipient_id: CUSTOMER, ...parts };
}

function only(body: unknown): CallbackItem {
  const [item, ...rest] = interpretCallback(body);
  expect(rest).toEqual([]);
  if (item === undefined) throw new Error('the callback gave no item');
  return item;
}

test('an inbound message is one item with everything about it', () => {
  const contacts = [{ profile: { name: 'Ada Obi', username: 'ada.obi' }, wa_id: CUSTOMER, user_id: USER_ID }];
  const reply = message({ type: 'text', text: { body: 'Hi' }, context: { id: 'wamid.OUT' } });
  expect(only(callback({ contacts, messages: [reply] }))).toEqual({
    kind: 'inbound',
    phoneNumberId: NUMBER,
    networkMessageId: 'wamid.IN',
    type: 'text',
    at: 1_790_000_000_000,
    from: CUSTOMER,
    userId: USER_ID,
    profileName: 'Ada Obi',
    username: 'ada.obi',
    body: 'Hi',
    content: { body: 'Hi' },
    context: { quoted: { id: 'wamid.OUT', from: null }, forwarded: null, product: null, error: null },
    groupId: null,
    opensWindow: true,
    referral: null,
  });
});

describe('people', () => {
  const text = { id: 'wamid.IN', timestamp: '1790000000', type: 'text', text: { body: 'Hi' } };
  const ada = { profile: { name: 'Ada Obi', username: 'ada.obi' }, wa_id: CUSTOMER, user_id: USER_ID };
  const withoutPhone = { profile: { name: 'Bo' }, user_id: USER_ID };
  const whole = { from: CUSTOMER, userId: USER_ID, profileName: 'Ada Obi', username: 'ada.obi' };
  test.each([
    ['phone and user id', { from: CUSTOMER, from_user_id: USER_ID }, [ada], whole],
    ['phone only', { from: CUSTOMER }, [ada], whole],
    ['user id only', { from_user_id: USER_ID }, [ada], whole],
    ['a user id in the phone fields', { from: USER_ID }, [{ ...ada, wa_id: USER_ID }], { ...whole, from: null }],
    [
      'a hidden phone',
      { from_user_id: USER_ID },
      [withoutPhone],
      { from: null, userId: USER_ID, profileName: 'Bo', username: null },
    ],
    [
      'a stranger to the contacts',
      { from: '15559' },
      [ada],
      { from: '15559', userId: null, profileName: null, username: null },
    ],
    ['no sender beside one contact', {}, [ada], whole],
    ['a formatted phone', { from: '+1 (555) 000-2222' }, [ada], whole],
    [
      'malformed contacts',
      { from: CUSTOMER },
      'none',
      { from: CUSTOMER, userId: null, profileName: null, username: null },
    ],
    [
      'a parent user id',
      { from: 'US.ENT.11815799212886844830' },
      [],
      { from: null, userId: 'US.ENT.11815799212886844830' },
    ],
  ])('%s', (_label, sender, contacts, expected) => {
    expect(only(callback({ contacts, messages: [{ ...text, ...sender }] }))).toMatchObject(expected);
  });

  test('each message of a batch finds its own contact', () => {
    const bo = { profile: { name: 'Bo' }, wa_id: '15550003333' };
    const messages = [
      { ...text, from: '15550003333' },
      { ...text, from: CUSTOMER },
    ];
    expect(interpretCallback(callback({ contacts: [ada, bo], messages }))).toMatchObject([
      { profileName: 'Bo', from: '15550003333' },
      { profileName: 'Ada Obi', from: CUSTOMER },
    ]);
  });

  test('a name too long for an index is cut', () => {
    const contacts = [{ ...ada, profile: { name: 'x'.repeat(255) + '😀'.repeat(9) } }];
    const item = only(callback({ contacts, messages: [{ ...text, from: CUSTOMER }] }));
    expect(item).toMatchObject({ profileName: 'x'.repeat(255) });
  });
});

describe('statuses', () => {
  const pricing = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'marketing' };
  const error = { code: 131047, title: 'Re-engagement message', error_data: { details: 'Too late.' } };
  test.each([
    [
      'sent',
      { pricing },
      { status: 'sent', pricing: { category: 'marketing', billable: true, model: 'PMP', type: 'regular' } },
    ],
    [
      'delivered',
      { recipient_user_id: USER_ID },
      { status: 'delivered', recipient: CUSTOMER, recipientUserId: USER_ID },
    ],
    [
      'read',
      { recipient_id: undefined, recipient_user_id: USER_ID },
      { status: 'read', recipient: null, recipientUserId: USER_ID },
    ],
    ['read', { recipient_id: USER_ID }, { recipient: null, recipientUserId: USER_ID }],
    ['played', {}, { status: 'read', pricing: null, error: null }],
    [
      'sent',
      { pricing: { billable: 'yes' } },
      { pricing: { category: null, billable: null, model: null, type: null } },
    ],
    [
      'failed',
      { errors: [error] },
      { error: { networkCode: 131047, title: 'Re-engagement message', details: 'Too late.' } },
    ],
    [
      'failed',
      { errors: [{ code: '131026', message: 'No' }] },
      { error: { networkCode: 131026, title: 'No', details: null } },
    ],
    ['failed', { errors: [{ title: 'No code' }] }, { status: 'failed', error: null }],
    ['failed', { errors: [{ code: 99_999_999_999 }] }, { error: null }],
    ['failed', {}, { status: 'failed', error: null }],
    ['sent', { biz_opaque_callback_data: 'abc.1.mac' }, { echo: 'abc.1.mac' }],
    ['sent', { biz_opaque_callback_data: 'x'.repeat(513) }, { echo: null }],
    [
      'sent',
      { recipient_type: 'group', recipient_id: 'g1', recipient_participant_id: '15557' },
      { recipient: '15557' },
    ],
  ])('%s %j', (name, parts, expected) => {
    const item = only(callback({ statuses: [status({ status: name, ...parts })] }));
    expect(item).toMatchObject({ kind: 'status', networkMessageId: 'wamid.OUT', at: 1_790_000_001_000, ...expected });
  });

  test('a status that is not known is kept under a stable name', () => {
    const raw = status({ status: 'Deleted by Æ' });
    expect(only(callback({ statuses: [raw] }))).toEqual({
      kind: 'other',
      field: 'messages',
      phoneNumberId: NUMBER,
      name: 'status:deleted_by__',
      networkAccountId: '300400500',
      raw,
    });
  });
});

test.each([
  ['seconds as text', '1790000000', 1_790_000_000_000],
  ['seconds as a number', 1_790_000_000, 1_790_000_000_000],
  ['milliseconds as text', '1790000000123', 1_790_000_000_123],
  ['milliseconds as a number', 1_790_000_000_123, 1_790_000_000_123],
])('a timestamp in %s is understood', (_label, timestamp, at) => {
  expect(only(callback({ statuses: [status({ timestamp })] }))).toMatchObject({ kind: 'status', at });
});

test.each([
  [null],
  ['soon'],
  ['-5'],
  [0],
  [1e300],
  ['179000000012345678'],
  [{}],
])('the timestamp %j is refused', (timestamp) => {
  const reason = 'A status has no usable timestamp.';
  expect(only(callback({ statuses: [status({ timestamp })] }))).toMatchObject({ kind: 'ignored', reason });
});

describe('other fields', () => {
  test('a change of another field is one item with what a reader of it needs', () => {
    const value = { event: 'REJECTED', message_template_id: 880990100200 };
    const change = { field: 'message_template_status_update', value };
    const body = {
      entry: [{ id: '300400500', time: 1790001000, changes: [change] }],
      object: 'whatsapp_business_account',
    };
    expect(only(body)).toEqual({
      kind: 'other',
      field: 'message_template_status_update',
      phoneNumberId: null,
      name: 'message_template_status_update',
      networkAccountId: '300400500',
      at: 1_790_001_000_000,
      raw: { entry_id: '300400500', entry_time: 1790001000, ...change },
    });
  });

  test('preferences keep their number, and a field of the future its name', () => {
    expect(only(callback({ user_preferences: [] }, 'user_preferences'))).toMatchObject({ phoneNumberId: NUMBER });
    expect(only(callback({}, 'Müll/'.repeat(40)))).toMatchObject({
      kind: 'other',
      name: 'm_ll_'.repeat(10).slice(0, 48),
    });
  });

  test('an error of the account is a separate item beside the message it came with', () => {
    const errors = [{ code: 131000, title: 'Unsupported webhook payload' }];
    const items = interpretCallback(callback({ messages: [message({ type: 'interactive' })], errors }));
    expect(items).toMatchObject([{ type: 'unsupported' }, { kind: 'other', name: 'value_error', raw: errors[0] }]);
  });
});

describe('malformed callbacks are recorded with a reason', () => {
  const text = { type: 'text', text: { body: 'Hi' } };
  test.each<[string, unknown]>([
    ['The body is not a JSON object.', [1]],
    ['The callback is not about a whatsapp_business_account.', { object: 'page', entry: [] }],
    ['The body has no entries.', {}],
    ['The body has no entries.', { entry: [] }],
    ['An entry is not an object.', { entry: ['x'] }],
    ['An entry has no changes.', { entry: [{ id: '1' }] }],
    ['A change is not an object.', { entry: [{ changes: [7] }] }],
    ['A change names no field.', { entry: [{ changes: [{ value: {} }] }] }],
    ['A change of messages has no value.', { entry: [{ changes: [{ field: 'messages' }] }] }],
    ['A change of messages holds neither messages nor statuses nor errors.', callback({ messages: [] })],
    ['The statuses of a change are not a list.', callback({ statuses: {} })],
    ['An error is not an object.', callback({ errors: [null] })],
    ['A status is not an object.', callback({ statuses: [3] })],
    ['A status does not say which status it is.', callback({ statuses: [{}] })],
    ['A status names no message.', callback({ statuses: [status({ id: '' })] })],
    ['A status names no message.', callback({ statuses: [status({ id: 'x'.repeat(513) })] })],
    ['A status names no business number.', callback({ metadata: {}, statuses: [status({})] })],
    ['A message is not an object.', callback({ messages: [null] })],
    ['A message has no id.', callback({ messages: [message({ ...text, id: undefined })] })],
    ['A message has no usable timestamp.', callback({ messages: [message({ ...text, timestamp: 'x' })] })],
    ['A message names no business number.', callback({ metadata: null, messages: [message(text)] })],
    ['A message does not say who sent it.', callback({ messages: [message({ ...text, from: undefined })] })],
  ])('%s (%j)', (reason, body) => {
    expect(only(body)).toMatchObject({ kind: 'ignored', reason });
  });
});

test('a malformed item does not take its neighbours with it', () => {
  const statuses = [status({}), null, status({ status: 'delivered' })];
  const kinds = interpretCallback(callback({ statuses })).map((item) => item.kind);
  expect(kinds).toEqual(['status', 'ignored', 'status']);
});

test('NUL and lone surrogates never reach the database, in texts, names, keys and content', () => {
  const body = callback({
    contacts: [{ wa_id: CUSTOMER, profile: { name: 'A\0da \uD800' } }],
    messages: [message({ type: 'text', text: { body: 'Hi\0 \uDC00', 'k\0': '\0' } })],
  });
  expect(only(body)).toMatchObject({
    profileName: 'Ada \uFFFD',
    body: 'Hi \uFFFD',
    content: { body: 'Hi \uFFFD', k: '' },
  });
});

test('items above the limit are counted in one ignored item', () => {
  const statuses = Array.from({ length: MAX_CALLBACK_ITEMS + 7 }, () => status({}));
  const items = interpretCallback(callback({ statuses }));
  expect(items).toHaveLength(MAX_CALLBACK_ITEMS + 1);
  expect(items.at(-1)).toMatchObject({ kind: 'ignored', raw: 7 });
});

/** Replaces some members of a real callback by arbitrary JSON. */
function mutated(value: unknown, next: () => number, junk: readonly unknown[]): unknown {
  if (next() < 0.08) return junk[Math.floor(next() * junk.length)];
  if (Array.isArray(value)) return value.map((item) => mutated(item, next, junk));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mutated(item, next, junk)]));
}

const everyKind = callback({
  contacts: [{ profile: { name: 'Ada' }, wa_id: CUSTOMER, user_id: USER_ID }],
  messages: [
    message({ type: 'text', text: { body: 'Hi' } }),
    message({ type: 'interactive', interactive: { list_reply: { title: 'x' } }, context: { id: 'wamid.OUT' } }),
    message({ type: 'contacts', contacts: [{ name: { formatted_name: 'Bo' } }] }),
    message({ type: 'reaction', reaction: { message_id: 'wamid.OUT', emoji: '👍' } }),
    message({
      type: 'edit',
      edit: { original_message_id: 'wamid.IN', message: { type: 'text', text: { body: 'x' } } },
    }),
  ],
  statuses: [status({ pricing: { billable: true } }), status({ status: 'failed', errors: [{ code: 1, title: 'x' }] })],
  errors: [{ code: 131000 }],
});

test('P1: any JSON value gives at least one item and never throws', () => {
  fc.assert(fc.property(fc.jsonValue(), (body) => interpretCallback(body).length > 0));
});

test('a real callback with any members replaced by junk never throws, and every item is fit to be stored', () => {
  fc.assert(
    fc.property(
      fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })),
      fc.array(fc.oneof(fc.jsonValue(), fc.constantFrom('\0', 'x\uD83D')), { minLength: 1, maxLength: 5 }),
      (stream, junk) => {
        const next = (): number => stream.next().value ?? 0;
        const items = interpretCallback(mutated(everyKind, next, junk));
        expect(items.length).toBeGreaterThan(0);
        expect(JSON.stringify(items)).not.toMatch(/\\u0000|\\ud[89a-f]/);
      },
    ),
    { numRuns: 500 },
  );
});

test('P1: every member of every list of a change of messages is an item, whatever the list is called', () => {
  const key = fc.constantFrom('messages', 'statuses', 'errors', 'message_echoes', 'calls', 'history', 'Some-List.2');
  const lists = fc.dictionary(key, fc.array(fc.constantFrom(null, 7, 'x', [], {}, { id: 'x' }), { maxLength: 4 }));
  fc.assert(
    fc.property(lists, (value) => {
      const members = Object.values(value).reduce((sum, list) => sum + list.length, 0);
      expect(interpretCallback(callback(value))).toHaveLength(Math.max(1, members));
    }),
  );
});

test('an object that stands beside the messages is an item under its name', () => {
  const items = interpretCallback(
    callback({ messages: [message({ type: 'text', text: { body: 'Hi' } })], hint: { a: 1 } }),
  );
  expect(items.slice(1)).toEqual([
    {
      kind: 'other',
      field: 'messages',
      phoneNumberId: NUMBER,
      name: 'hint',
      networkAccountId: '300400500',
      raw: { a: 1 },
    },
  ]);
});

test('P1: every message, status and error of every change of every entry gives exactly one item, in order', () => {
  const count = fc.nat({ max: 4 });
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.tuple(count, count, count), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
      (plan) => {
        let serial = 0;
        const many = (length: number, make: (id: string) => object): object[] =>
          Array.from({ length }, () => make(String(serial++)));
        const changeOf = ([messages, statuses, errors]: readonly [number, number, number]): object => {
          const value = {
            metadata: { phone_number_id: NUMBER },
            messages: many(messages, (id) => message({ id, type: 'text', text: { body: id } })),
            statuses: many(statuses, (id) => status({ id })),
            errors: many(errors, (code) => ({ code })),
          };
          return { field: 'messages', value };
        };
        const entry = plan.map((changes) => ({ id: '1', changes: changes.map(changeOf) }));
        const items = interpretCallback({ object: 'whatsapp_business_account', entry });
        const ids = items.flatMap((item) => {
          if (item.kind === 'status' || item.kind === 'inbound') return [item.networkMessageId];
          return item.kind === 'other' ? [(item.raw as { code: string }).code] : [];
        });
        expect(ids).toEqual(Array.from({ length: serial }, (_, id) => String(id)));
        const empty = plan.flat().filter(([messages, statuses, errors]) => messages + statuses + errors === 0).length;
        expect(items.filter((item) => item.kind === 'ignored')).toHaveLength(empty);
      },
    ),
  );
});
