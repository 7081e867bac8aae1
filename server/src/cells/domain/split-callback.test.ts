import { describe, expect, test } from 'vitest';
import { callbackOf, partsOfCallback, splitCallback } from './split-callback.ts';

const status = (number: string, id: string) => ({
  field: 'messages',
  value: { metadata: { phone_number_id: number }, statuses: [{ id, status: 'sent' }] },
});
const body = {
  object: 'whatsapp_business_account',
  entry: [
    { id: '1', time: 5, changes: [status('11', 'a'), status('22', 'b'), status('11', 'c')] },
    { id: '2', changes: [{ field: 'message_template_status_update', value: { event: 'APPROVED' } }] },
    {
      id: '9',
      changes: [{ field: 'account_update', value: { event: 'PARTNER_REMOVED', waba_info: { waba_id: '3' } } }],
    },
  ],
};

describe('a callback is taken apart by what its changes are about', () => {
  test('a change is about its number, and without one about the account that it or its entry names', () => {
    expect(partsOfCallback(body)?.map(({ about }) => about)).toEqual([
      { kind: 'number', name: '11' },
      { kind: 'number', name: '22' },
      { kind: 'number', name: '11' },
      { kind: 'account', name: '2' },
      { kind: 'account', name: '3' },
    ]);
  });

  test('the parts of one number make a callback with these changes alone, in their entries and their order', () => {
    const parts = partsOfCallback(body)?.filter(({ about }) => about?.name === '11') ?? [];
    expect(callbackOf(body, parts)).toEqual({
      object: 'whatsapp_business_account',
      entry: [{ id: '1', time: 5, changes: [status('11', 'a'), status('11', 'c')] }],
    });
  });

  test('all parts together make the whole again', () => {
    expect(callbackOf(body, partsOfCallback(body) ?? [])).toEqual(body);
  });

  test.each([
    null,
    'text',
    [],
    {},
    { entry: [] },
    { entry: [null] },
    { entry: [{}] },
    { entry: [{ changes: [] }] },
  ])('%j is not made of changes', (other) => {
    expect(partsOfCallback(other)).toBeNull();
  });
});

describe('a callback that waits where a tenant was', () => {
  const names = { number: new Set(['11']), account: new Set(['2']) };
  const parts = partsOfCallback(body) ?? [];
  const split = (some: typeof parts) => {
    const found = splitCallback(JSON.stringify(callbackOf(body, some)), names);
    const read = (part: Buffer | 'all' | null | undefined) => (Buffer.isBuffer(part) ? JSON.parse(`${part}`) : part);
    return found && { theirs: read(found.theirs), rest: read(found.rest) };
  };
  const about = (...indexes: readonly number[]) => indexes.flatMap((index) => parts[index] ?? []);

  test('goes with them as far as it is about their numbers, and the rest stays', () => {
    const ours = about(0, 2);
    expect(split(about(0, 1, 2))).toEqual({ theirs: callbackOf(body, ours), rest: callbackOf(body, about(1)) });
  });

  test('leaves nothing behind when it is about their numbers alone', () => {
    expect(split(about(0, 2))).toEqual({ theirs: callbackOf(body, about(0, 2)), rest: null });
  });

  test('goes with them and stays too where it is about an account, which others may share', () => {
    expect(split(about(1, 3))).toEqual({ theirs: callbackOf(body, about(3)), rest: 'all' });
    expect(split(about(0, 3))).toEqual({ theirs: callbackOf(body, about(0, 3)), rest: callbackOf(body, about(3)) });
  });

  test('stays as it is when it is about others, or cannot be read', () => {
    expect(split(about(1, 4))).toBeNull();
    expect(splitCallback('{', names)).toBeNull();
  });
});
