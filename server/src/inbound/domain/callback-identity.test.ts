import { expect, test } from 'vitest';
import { interpretCallback } from './callback.ts';

const metadata = { phone_number_id: '7001' };
const [OLD, NEW] = ['447700900001', '447700900002'];
const [WAS, IS] = ['GB.1', 'GB.2'];
const nobody = { phone: null, userId: null };

const change = (field: string, value: object) =>
  interpretCallback({ entry: [{ id: '3', changes: [{ field, value: { metadata, ...value } }] }] });
const messages = (names: object, system: object) =>
  change('messages', { messages: [{ id: 'wamid.1', timestamp: '1790000000', type: 'system', ...names, system }] });
const spoken = `User Ada changed from ${WAS} to ${IS}`;

test.each([
  [
    'a new number',
    { from: OLD },
    { type: 'user_changed_number', body: `User Ada changed from ${OLD} to ${NEW}`, wa_id: NEW },
    { previous: { ...nobody, phone: OLD }, current: { ...nobody, phone: NEW } },
  ],
  [
    'a new number in the form of former versions',
    { from: OLD },
    { type: 'customer_changed_number', customer: OLD, new_wa_id: NEW },
    { previous: { ...nobody, phone: OLD }, current: { ...nobody, phone: NEW } },
  ],
  [
    'a new number with the user ids',
    { from: OLD, from_user_id: IS },
    { type: 'user_changed_number', wa_id: NEW, user_id: IS, previous_user_id: WAS },
    { previous: { phone: OLD, userId: WAS }, current: { phone: NEW, userId: IS } },
  ],
  [
    'a new user id, in a message without a sender',
    {},
    { type: 'user_changed_user_id', user_id: IS, previous_user_id: WAS },
    { previous: { ...nobody, userId: WAS }, current: { ...nobody, userId: IS } },
  ],
  [
    'a new user id, of which the former is the sender',
    { from_user_id: WAS },
    { type: 'user_changed_user_id', user_id: IS },
    { previous: { ...nobody, userId: WAS }, current: { ...nobody, userId: IS } },
  ],
  [
    'a new user id, of which the former stands in the sentence',
    { from_user_id: IS },
    { type: 'user_changed_user_id', user_id: IS, body: spoken },
    { previous: { ...nobody, userId: WAS }, current: { ...nobody, userId: IS } },
  ],
  [
    'the other spelling of a number',
    { from: '5511991234567' },
    { type: 'user_changed_number', wa_id: '551191234567' },
    undefined,
  ],
  ['no new number', { from: OLD }, { type: 'user_changed_number', wa_id: '' }, undefined],
  ['a new security code', { from: OLD }, { type: 'customer_identity_changed', wa_id: NEW }, undefined],
  [
    'a name that reads like the sentence',
    { from_user_id: IS },
    { type: 'user_changed_user_id', user_id: IS, body: `User from ${WAS} to ${IS} has a name` },
    undefined,
  ],
])('a system message reports %s', (_what, names, system, expected) => {
  const [item, ...more] = messages(names, system);
  expect(more).toEqual([]);
  expect(item).toMatchObject({ kind: 'inbound', type: 'system' });
  expect(item && 'identityChange' in item ? item.identityChange : undefined).toEqual(expected);
});

const update = { wa_id: NEW, user_id: { previous: WAS, current: IS }, timestamp: '1790000000' };
const item = { kind: 'identity', phoneNumberId: '7001', at: 1_790_000_000_000 };

test.each([
  'user_id_update',
  'messages',
])('a list of new user ids is read member by member, in the field %s', (field) => {
  const hidden = { user_id: { previous: 'GB.3', current: 'GB.4' }, timestamp: 1_790_000_000 };
  expect(change(field, { user_id_update: [update, hidden, 7, { ...update, user_id: {}, wa_id: undefined }] })).toEqual([
    { ...item, previous: { ...nobody, userId: WAS }, current: { phone: NEW, userId: IS } },
    { ...item, previous: { ...nobody, userId: 'GB.3' }, current: { ...nobody, userId: 'GB.4' } },
    { kind: 'ignored', reason: 'A change of a user ID is not an object.', raw: 7 },
    expect.objectContaining({ kind: 'ignored', reason: 'A change of a user ID does not say what it was and is.' }),
  ]);
});
