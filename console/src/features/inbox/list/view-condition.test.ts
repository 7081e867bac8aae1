import { expect, test } from 'vitest';
import { conditionOf, emptyForm, formOf, type ViewForm } from './view-condition.ts';

const forms: readonly Partial<ViewForm>[] = [
  {},
  { status: '' },
  { assignee: 'none', isUnread: true },
  { assignee: 'me', tag: 'Refund', contactTag: 'VIP', isWaiting: true, isUrgent: true },
];

test.each(forms)('the form of a view comes back from its condition: %j', (part) => {
  const form = { ...emptyForm, ...part };
  const stored = JSON.parse(JSON.stringify(conditionOf(form)), (_, value) =>
    // As the database hands it back: the members of an object in another order.
    value && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toReversed())
      : value,
  );
  expect(formOf(stored)).toEqual(form);
});

test.each([
  { field: 'conversation.status', value: 'open' },
  { all: [{ field: 'conversation.status', match: 'is_not', value: 'open' }] },
  { any: [{ field: 'conversation.status', match: 'is', value: 'open' }] },
  { all: [{ not: { field: 'conversation.status', match: 'is', value: 'open' } }] },
])('what the form does not offer is no form, and is kept as it is: %j', (when) => {
  expect(formOf(when)).toBe(null);
});
