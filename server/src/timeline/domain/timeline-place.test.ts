import fc from 'fast-check';
import { expect, test } from 'vitest';
import { olderThan, placeOf } from './timeline-place.ts';

const entry = fc.record({ id: fc.uuid({ version: 7 }), isDecision: fc.boolean() });

test('from any place on, exactly what stands behind it is read, a decision before its message', () => {
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1 }), fc.nat(), (entries, at) => {
      const place = ({ id, isDecision }: (typeof entries)[number]) => placeOf(id, isDecision);
      const withMessages = entries.flatMap((one) => [one, { ...one, isDecision: false }]);
      const from = place(withMessages[at % withMessages.length] as (typeof entries)[number]);
      const { beforeId, decisionsBeforeId } = olderThan(from);
      for (const one of withMessages) {
        const bound = one.isDecision ? decisionsBeforeId : beforeId;
        expect(one.id < String(bound)).toBe(place(one) < from);
      }
    }),
  );
});

test('without a place, nothing is left out', () => {
  expect(olderThan(null)).toEqual({ beforeId: null, decisionsBeforeId: null });
});
