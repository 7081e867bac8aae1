import { expect, test } from 'vitest';
import type { JsonObject } from '#core/json';
import { interpretCallback } from './callback.ts';

const CUSTOMER = '447700900123';
const BUSINESS = '15550001111';
const AT_S = 1_790_000_000;
const timeText = (seconds: number): string => new Date(seconds * 1000).toISOString();

function read(value: JsonObject) {
  const metadata = { display_phone_number: BUSINESS, phone_number_id: '700' };
  const changes = [{ field: 'calls', value: { metadata, ...value } }];
  return interpretCallback({ object: 'whatsapp_business_account', entry: [{ id: '1', changes }] });
}

function callOf(fields: JsonObject, beside: JsonObject = {}) {
  const call = { id: 'wacid.A', from: CUSTOMER, to: BUSINESS, timestamp: String(AT_S), ...fields };
  return read({ calls: [call], ...beside })[0];
}

const theirs = { direction: 'USER_INITIATED' };
const ours = { direction: 'BUSINESS_INITIATED', from: BUSINESS, to: CUSTOMER };
const spoken = { start_time: String(AT_S + 4), end_time: String(AT_S + 137), duration: 133 };

test.each<readonly [label: string, fields: JsonObject, call: object]>([
  ['a beginning', { event: 'connect', ...theirs }, { direction: 'user_initiated', state: 'ringing', ended_at: null }],
  ['one that we make', { event: 'connect', ...ours }, { direction: 'business_initiated', state: 'ringing' }],
  [
    'an end after they spoke',
    { event: 'terminate', ...theirs, status: 'COMPLETED', ...spoken },
    { state: 'answered', answered_at: timeText(AT_S + 4), ended_at: timeText(AT_S + 137), duration_seconds: 133 },
  ],
  [
    'an end without a duration',
    { event: 'terminate', ...theirs, start_time: AT_S, end_time: AT_S + 9 },
    { state: 'answered', duration_seconds: 9 },
  ],
  [
    'an end that nobody had answered',
    { event: 'terminate', ...theirs, status: 'Completed' },
    { state: 'missed', answered_at: null, ended_at: timeText(AT_S), duration_seconds: null },
  ],
  ['a failure', { event: 'terminate', ...theirs, status: 'FAILED' }, { state: 'failed', error: null }],
  ['no direction, but an offer', { event: 'connect', session: { sdp_type: 'offer' } }, { direction: 'user_initiated' }],
  [
    'no direction, but an answer',
    { ...ours, direction: null, event: 'connect', session: { sdp_type: 'answer' } },
    { direction: 'business_initiated' },
  ],
  ['no direction at all', { ...ours, direction: null, event: 'terminate' }, { direction: 'business_initiated' }],
  ['the two the wrong way round', { ...ours, ...theirs, event: 'connect' }, { direction: 'user_initiated' }],
  [
    'a duration that cannot be',
    { event: 'terminate', ...theirs, duration: -3 },
    { state: 'missed', duration_seconds: null },
  ],
])('a call is read, and the customer is the other one than the business: %s', (_label, fields, call) => {
  expect(callOf(fields)).toMatchObject({
    kind: 'call',
    phoneNumberId: '700',
    networkMessageId: 'wacid.A',
    from: CUSTOMER,
    call,
  });
});

test.each([
  ['RINGING', { state: 'ringing', answered_at: null }],
  ['ACCEPTED', { state: 'answered', answered_at: timeText(AT_S) }],
  ['REJECTED', { state: 'rejected', answered_at: null }],
])('the status %s belongs to a call that the business makes', (status, call) => {
  const told = { id: 'wacid.A', type: 'call', status, timestamp: String(AT_S), recipient_id: CUSTOMER };
  const expected = { kind: 'call', from: CUSTOMER, call: { direction: 'business_initiated', ...call } };
  expect(read({ statuses: [told] })).toMatchObject([expected]);
});

test('the names of the customer and the error of the call stand beside it', () => {
  const contacts = [{ profile: { name: 'Sam' }, wa_id: CUSTOMER, user_id: 'GB.1000200030004000' }];
  const errors = [{ code: 138021, message: 'The media could not be connected.' }];
  expect(callOf({ event: 'terminate', ...theirs, status: 'FAILED' }, { contacts, errors })).toMatchObject({
    from: CUSTOMER,
    userId: 'GB.1000200030004000',
    profileName: 'Sam',
    call: { state: 'failed', error: { network_code: 138021, message: 'The media could not be connected.' } },
  });
});

test.each<readonly [label: string, value: JsonObject, items: readonly object[]]>([
  ['nothing', {}, [{ kind: 'ignored', reason: 'A change of calls holds neither calls nor statuses.' }]],
  ['no list', { calls: {} }, [{ kind: 'ignored', reason: 'The calls of a change are not a list.' }]],
  ['no object', { calls: [7] }, [{ kind: 'ignored', reason: 'A call is not an object.' }]],
  [
    'no id',
    { calls: [{ event: 'connect', from: CUSTOMER, timestamp: '1790000000' }] },
    [{ reason: 'A call has no id.' }],
  ],
  [
    'no time',
    { calls: [{ id: 'w', event: 'connect', from: CUSTOMER }] },
    [{ reason: 'A call has no usable timestamp.' }],
  ],
  [
    'no customer',
    { calls: [{ id: 'w', event: 'connect', timestamp: '1790000000' }] },
    [{ reason: 'A call does not say who the customer is.' }],
  ],
  [
    'an event of the future',
    { calls: [{ id: 'w', event: 'Hold!' }] },
    [{ kind: 'other', field: 'calls', name: 'call:hold_' }],
  ],
  ['a status of the future', { statuses: [{ id: 'w', status: 'BUSY' }] }, [{ kind: 'other', name: 'call:busy' }]],
])('nothing in a change of calls is dropped: %s', (_label, value, items) => {
  expect(read(value)).toMatchObject(items);
});
