import { expect, test } from 'vitest';
import { parseLedger } from './ledger.ts';
import { recoveredAt } from './run-chaos.ts';

const ID = '01a1fa84-1c03-727a-a9fe-1260efa3117f';

function line(token: string | null, atMs = 5, number = '1'): string {
  const accepted_at = new Date(atMs).toISOString();
  return JSON.stringify({
    id: 'wamid.1',
    phone_number_id: number,
    to: '1555',
    biz_opaque_callback_data: token,
    accepted_at,
    request: {},
  });
}

test('the message id is read from the beginning of the token', () => {
  expect(parseLedger(`${line(`${ID}.1.mac`)}\n`)).toEqual([
    { networkId: 'wamid.1', phoneNumberId: '1', to: '1555', messageId: ID, acceptedAtMs: 5 },
  ]);
});

test('a token that is missing or foreign names no message', () => {
  expect(parseLedger(`${line(null)}\n${line('somebody else')}\n`).map(({ messageId }) => messageId)).toEqual([
    null,
    null,
  ]);
});

test('recovery is over when the last number has sent again, and not before', () => {
  const ledger = parseLedger(
    [line(null, 10, '1'), line(null, 20, '2'), line(null, 50, '1'), line(null, 70, '2')].join('\n'),
  );
  expect(recoveredAt(ledger, ['1', '2'], 30)).toBe(70);
  expect(recoveredAt(ledger, ['1'], 30)).toBe(50);
  expect(recoveredAt(ledger, ['1', '2'], 60)).toBeNull();
});
