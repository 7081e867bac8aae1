import { expect, test } from 'vitest';
import { isMovedOn } from './analytics-writes.ts';

test('a cursor that another process moved is known by its table, also by the name that it has on a node of Citus', () => {
  const failed = (code: string, table: string) => isMovedOn(Object.assign(new Error('null value'), { code, table }));
  expect(failed('23502', 'analytics_cursors')).toBe(true);
  expect(failed('23502', 'analytics_cursors_102032')).toBe(true);
  expect(failed('23502', 'analytics_cursors_of_others')).toBe(false);
  expect(failed('23505', 'analytics_cursors')).toBe(false);
});
