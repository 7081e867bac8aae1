import { expect, test } from 'vitest';
import type { JsonValue } from '#core/json';
import { readChanges } from './network-changes.ts';

const ACCOUNT = '300000000000001';

/** Whom the one change of a callback is about. */
function subjectOf(field: string, value: JsonValue) {
  const body = { object: 'whatsapp_business_account', entry: [{ id: ACCOUNT, changes: [{ field, value }] }] };
  return readChanges(body)[0]?.subject;
}

const ofAccount = { kind: 'account', networkAccountId: ACCOUNT, displayPhone: null, phoneNumberId: null };

test.each<readonly [field: string, value: JsonValue, subject: object | null]>([
  ['messages', { metadata: { phone_number_id: '2' }, messages: [] }, { kind: 'number', phoneNumberId: '2' }],
  ['a_new_field', { metadata: { phone_number_id: '2' } }, { kind: 'number', phoneNumberId: '2' }],
  ['messages', { messages: [] }, null],
  ['messages', { metadata: {} }, null],
  ['a_new_field', { metadata: null }, null],
  ['account_update', { event: 'ACCOUNT_VIOLATION' }, { ...ofAccount, isShared: true }],
  ['account_update', { phone_number: '+1 555 0100' }, { ...ofAccount, displayPhone: '15550100', isShared: true }],
  ['account_update', { waba_info: { waba_id: '7' } }, { ...ofAccount, networkAccountId: '7', isShared: true }],
  [
    'account_alerts',
    { entity_type: 'PHONE_NUMBER', entity_id: '2' },
    { ...ofAccount, phoneNumberId: '2', isShared: true },
  ],
  ['message_template_status_update', { event: 'APPROVED' }, { ...ofAccount, isShared: true }],
  ['a_new_field', { about: 'somebody' }, { ...ofAccount, isShared: false }],
  ['a_new_field', null, { ...ofAccount, isShared: false }],
])('a change of %s with %o is about what it names, and about nobody when that cannot be read', (field, value, subject) => {
  expect(subjectOf(field, value)).toEqual(subject);
});

test('what is malformed is left out, and the others keep their places', () => {
  const good = { field: 'messages', value: {} };
  const body = {
    entry: [null, { changes: 'none' }, { id: '1', changes: [7, { value: {} }, good] }, { changes: [good] }],
  };
  expect(readChanges(body as JsonValue).map(({ index, entry }) => [index, entry])).toEqual([
    [1, { id: '1' }],
    [2, {}],
  ]);
  for (const nothing of [null, 'text', [], { entry: {} }] as JsonValue[]) expect(readChanges(nothing)).toEqual([]);
});
