import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { interpretCallback } from '#inbound/domain/callback';
import {
  applyStatus,
  type DeliveryRow,
  type DeliveryState,
  deliveryRank,
  deliveryTransitions,
  messageStatusTransitions,
  pendingDelivery,
  type StatusChange,
} from './delivery.ts';

const accepted: DeliveryRow = { ...pendingDelivery, state: 'accepted', acceptedAt: 1000 };
const price = { category: 'utility', billable: false, model: 'PMP', type: 'regular' };
const charged = { ...price, billable: true };
const closed = { networkCode: 131047, title: 'Re-engagement message', details: null };
const unreachable = { networkCode: 131026, title: 'Message undeliverable', details: null };

function change(status: StatusChange['status'], at: number, parts: Partial<StatusChange> = {}): StatusChange {
  return { status, at, error: null, pricing: null, ...parts };
}

function applyAll(row: DeliveryRow, changes: readonly StatusChange[]): DeliveryRow {
  return changes.reduce(applyStatus, row);
}

/** The network's own words for a status, read by the same code that reads callbacks. */
function fromNetwork(status: string, seconds: number): StatusChange {
  const value = { metadata: { phone_number_id: '7' }, statuses: [{ id: 'w', status, timestamp: String(seconds) }] };
  const [item] = interpretCallback({ entry: [{ changes: [{ field: 'messages', value }] }] });
  if (item?.kind !== 'status') throw new Error(`${status} was not read as a status`);
  return item;
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}

describe('P4: any order of statuses ends in the same row', () => {
  test('all 5,040 orders of sent, delivered, read, played, failed and two repetitions', () => {
    const statuses = [
      fromNetwork('sent', 10),
      fromNetwork('delivered', 12),
      fromNetwork('read', 15),
      fromNetwork('played', 17),
      fromNetwork('failed', 11),
      fromNetwork('sent', 9),
      fromNetwork('delivered', 12),
    ];
    const expected = { ...accepted, state: 'failed', sentAt: 9000, deliveredAt: 12000, readAt: 15000, failedAt: 11000 };
    for (const order of permutations(statuses)) expect(applyAll(accepted, order)).toEqual(expected);
  });

  const status = fc.record({
    status: fc.constantFrom('sent' as const, 'delivered' as const, 'read' as const, 'failed' as const),
    at: fc.integer({ min: 1, max: 5 }),
    error: fc.constantFrom(null, closed, unreachable, { ...closed, details: 'Too late.' }),
    pricing: fc.constantFrom(null, price, charged, { ...price, billable: null, category: 'marketing' }),
  });
  const row = fc.constantFrom(pendingDelivery, accepted, { ...pendingDelivery, state: 'unknown' as const });

  test('any statuses with any times, errors and prices, shuffled and repeated', () => {
    const given = fc
      .array(status, { maxLength: 8 })
      .chain((list) =>
        fc.tuple(fc.constant(list), fc.shuffledSubarray([...list, ...list], { minLength: list.length * 2 })),
      );
    fc.assert(
      fc.property(row, given, (start, [list, shuffled]) => {
        expect(applyAll(start, shuffled)).toEqual(applyAll(start, list));
      }),
    );
  });

  test('a repeated status returns the very same row, so nothing is written', () => {
    fc.assert(
      fc.property(row, fc.array(status, { minLength: 1 }), (start, list) => {
        const end = applyAll(start, list);
        for (const again of list) expect(applyStatus(end, again)).toBe(end);
      }),
    );
  });

  test('a status only moves forward, along the transition table', () => {
    fc.assert(
      fc.property(row, fc.array(status), (start, list) => {
        let state = start.state;
        for (const next of list.map((_, n) => applyAll(start, list.slice(0, n + 1)).state)) {
          if (next !== state) expect(deliveryTransitions[state]).toContain(next);
          expect(deliveryRank[next]).toBeGreaterThanOrEqual(deliveryRank[state]);
          state = next;
        }
      }),
    );
  });
});

test.each<[string, DeliveryRow, StatusChange, Partial<DeliveryRow>]>([
  ['a message waiting to be sent', pendingDelivery, change('sent', 5), { state: 'sent', sentAt: 5 }],
  [
    'a message of unknown outcome',
    { ...pendingDelivery, state: 'unknown' },
    change('delivered', 5),
    { state: 'delivered' },
  ],
  [
    'an accepted message',
    accepted,
    change('read', 5),
    { state: 'read', readAt: 5, deliveredAt: null, acceptedAt: 1000 },
  ],
  [
    'a failed message',
    { ...accepted, state: 'failed', failedAt: 4 },
    change('read', 5),
    { state: 'failed', readAt: 5, failedAt: 4 },
  ],
  [
    'a read message',
    { ...accepted, state: 'read' },
    change('failed', 5, { error: closed }),
    { state: 'failed', error: closed },
  ],
])('a status reaches %s', (_label, row, status, expected) => {
  expect(applyStatus(row, status)).toMatchObject(expected);
});

test('an error on a status other than failed says nothing about the delivery', () => {
  expect(applyStatus(accepted, change('sent', 5, { error: closed })).error).toBeNull();
});

test('of two errors the lower code is kept, of two prices the billable one', () => {
  const first = applyStatus(accepted, change('failed', 5, { error: closed, pricing: price }));
  expect(applyStatus(first, change('failed', 6, { error: unreachable, pricing: charged }))).toMatchObject({
    error: unreachable,
    pricing: charged,
    failedAt: 5,
  });
});

describe('transition tables', () => {
  test('every forward step of the ranks is allowed from the network states, and none leads back', () => {
    const reported: readonly DeliveryState[] = ['accepted', 'sent', 'delivered', 'read', 'failed'];
    for (const from of reported.slice(0, -1)) {
      expect(deliveryTransitions[from]).toEqual(reported.filter((to) => deliveryRank[to] > deliveryRank[from]));
    }
  });

  test('a requeue leaves failed, and so does a status when the failure was only our own conclusion', () => {
    expect(deliveryTransitions.failed).toEqual(['pending', 'sent', 'delivered', 'read']);
    expect(messageStatusTransitions.failed).toEqual(['queued', 'sent']);
  });

  test('a message is claimed before it is sent, may return to the queue, and may be settled there by a late status', () => {
    expect(messageStatusTransitions.queued).toEqual(['sending', 'sent', 'failed']);
    expect(messageStatusTransitions.sending).toEqual(['sent', 'failed', 'queued']);
    expect(messageStatusTransitions.sent).toEqual(['failed']);
  });
});
