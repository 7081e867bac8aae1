import { expect, test } from 'vitest';
import { availabilityAt } from './agent.ts';

test('a sign of life counts up to its last millisecond', () => {
  const agent = { availability: 'away', presenceUntilMs: 60_000 } as const;
  expect([availabilityAt(agent, 59_999), availabilityAt(agent, 60_000)]).toEqual(['away', 'offline']);
  expect(availabilityAt({ ...agent, presenceUntilMs: null }, 60_000)).toBe('away');
});
