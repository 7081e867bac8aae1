import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { conversationPointsIn, messagePointsIn, pricePointsIn, templateFiguresIn } from './figures-answers.ts';
import { fieldsOf } from './graph.ts';

const DAY_S = 24 * 3600;
const step = { start: 0, end: DAY_S };
const period = { startMs: 0, endMs: DAY_S * 1000 };
const id = '300400500600';

describe('points of messages', () => {
  const of = (...data_points: unknown[]) => messagePointsIn({ id, analytics: { data_points } });

  test('have the time and the figures that the network gives', () => {
    expect(of({ ...step, sent: 3, delivered: 2 })).toEqual([{ ...period, sent: 3, delivered: 2 }]);
  });

  test.each([
    ['is left out', undefined],
    ['is a text', '3'],
    ['is below nothing', -1],
    ['is no whole number', 1.5],
  ])('have null for a figure that %s', (_label, sent) => {
    expect(of({ ...step, sent, delivered: 2 })).toEqual([{ ...period, sent: null, delivered: 2 }]);
  });

  test.each([
    ['without a time', { sent: 1 }],
    ['that ends before it begins', { start: 2, end: 1, sent: 1 }],
    ['that ends beyond the calendar', { start: 1, end: 1e15, sent: 1 }],
    ['that is a text', 'nonsense'],
  ])('%s make the whole answer unreadable: none is left out in silence', (_label, point) => {
    expect(of({ ...step, sent: 3 }, point)).toBeNull();
  });

  test('are none when the account leaves the field out, and unreadable when the field has none', () => {
    expect(messagePointsIn({ id })).toEqual([]);
    expect(messagePointsIn({})).toBeNull();
    expect(messagePointsIn({ id, analytics: { granularity: 'DAY' } })).toBeNull();
    expect(messagePointsIn({ id, analytics: { data_points: {} } })).toBeNull();
  });
});

test('points of prices have their key in lower case, also one that nobody knew', () => {
  const point = { ...step, pricing_category: 'PARCEL_SERVICE', volume: 10, cost: 0.31 };
  const answer = { id, pricing_analytics: { data: [{ data_points: [point] }, { data_points: [] }] } };
  expect(pricePointsIn(answer, 'pricing_category')).toEqual([
    { ...period, key: 'parcel_service', volume: 10, cost: 0.31 },
  ]);
  expect(pricePointsIn(answer, 'tier')).toBeNull();
  expect(pricePointsIn({ id, pricing_analytics: { data: [{}] } }, 'tier')).toBeNull();
  expect(pricePointsIn({ id, pricing_analytics: {} }, 'tier')).toBeNull();
});

test('points of conversations have null for what the network does not say', () => {
  const data_points = [{ ...step, conversation_direction: 'BUSINESS_INITIATED', cost: 'much' }];
  const answer = { id, conversation_analytics: { data: [{ data_points }] } };
  expect(conversationPointsIn(answer, 'conversation_direction')).toEqual([
    { ...period, key: 'business_initiated', conversations: null, cost: null },
  ]);
});

test('points of templates have clicks by button, and costs by kind', () => {
  const point = {
    ...{ template_id: '42', ...step, sent: 3, delivered: 2, read: 1 },
    clicked: [{ type: 'QUICK_REPLY_BUTTON', button_content: 'Yes', count: 2 }, 'nonsense'],
    cost: [{ type: 'amount_spent', value: 0.05 }, { type: 'cost_per_delivered' }, null],
  };
  const paging = { cursors: { after: 'QQ' } };
  const answer = { data: [{ granularity: 'DAILY', data_points: [point] }], paging };
  expect(templateFiguresIn(answer)).toEqual({
    after: null,
    points: [
      {
        ...{ ...period, networkTemplateId: '42', sent: 3, delivered: 2, read: 1 },
        clicks: [
          { type: 'quick_reply_button', button: 'Yes', count: 2 },
          { type: null, button: null, count: null },
        ],
        ...{ amountSpent: 0.05, costPerDelivered: null, costPerClick: null },
      },
    ],
  });
  expect(templateFiguresIn({ data: [], paging: { ...paging, next: 'https://…' } })).toEqual({
    points: [],
    after: 'QQ',
  });
  expect(templateFiguresIn({ paging })).toBeNull();
  expect(templateFiguresIn({ data: [{ data_points: [{ ...point, template_id: '1/2' }] }] })).toBeNull();
});

/** What a figure can be: nothing, or a number that is not below nothing. */
const isFigure = (value: number | null) => value === null || (Number.isFinite(value) && value >= 0);

test('whatever is answered, it is refused as a whole, or every point has a time and figures that are numbers', () => {
  const value = fc.oneof(fc.jsonValue(), fc.integer(), fc.double(), fc.constant(1_700_000_000));
  const point = fc.record(
    {
      ...{ start: value, end: value, sent: value, delivered: value, volume: value, cost: value, conversation: value },
      ...{ template_id: fc.oneof(value, fc.constant('1')), tier: fc.oneof(value, fc.string()), read: value },
    },
    { requiredKeys: [] },
  );
  const points = fc.oneof(value, fc.array(fc.oneof(point, value)));
  fc.assert(
    fc.property(points, (data_points) => {
      const data = { data: [{ data_points }] };
      const answer = fieldsOf({
        ...{ id, ...data },
        ...{ analytics: { data_points }, pricing_analytics: data, conversation_analytics: data },
      });
      const found = [
        ...(messagePointsIn(answer) ?? []).map(({ startMs, endMs, ...figures }) => ({ startMs, endMs, figures })),
        ...(pricePointsIn(answer, 'tier') ?? []).map(({ startMs, endMs, key: _, ...figures }) => ({
          ...{ startMs, endMs, figures },
        })),
        ...(conversationPointsIn(answer, 'tier') ?? []).map(({ startMs, endMs, key: _, ...figures }) => ({
          ...{ startMs, endMs, figures },
        })),
        ...(templateFiguresIn(answer)?.points ?? []).map(({ startMs, endMs, sent, delivered, read }) => ({
          ...{ startMs, endMs, figures: { sent, delivered, read } },
        })),
      ];
      for (const { startMs, endMs, figures } of found) {
        expect(startMs).toBeLessThan(endMs);
        expect(new Date(endMs).toISOString()).toMatch(/Z$/);
        expect(Object.values<number | null>(figures).every(isFigure)).toBe(true);
      }
    }),
  );
});
