import { expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { neededFiles, openFileLimit, parseOpenFileLimit } from './open-files.ts';

const LIMITS = `Limit                     Soft Limit           Hard Limit           Units
Max processes             96191                96191                processes
Max open files            1024                 1048576              files
Max locked memory         8388608              8388608              bytes
`;

test.each([
  ['the soft one counts', LIMITS, 1_024],
  ['none at all', LIMITS.replace('1024 ', 'unlimited '), Number.POSITIVE_INFINITY],
  ['it is not named', 'Max processes 1 1 processes', null],
])('the limit of open files: %s', (_label, text, limit) => expect(parseOpenFileLimit(text)).toBe(limit));

test('a process that the system does not know has no known limit', () => {
  expect(openFileLimit(2 ** 30)).toBeNull();
});

test('the needs follow the connections that callers may open, in processes that have callers', () => {
  const config = readConfig({ MESSAGING_MAX_CONNECTIONS: '500' });
  const more = neededFiles({ ...config, maxConnections: 600 });
  expect(more - neededFiles(config)).toBe(100);
  const without = { ...config, roles: 'dispatcher,ingester' };
  expect(neededFiles(config) - neededFiles(without)).toBe(500);
  expect(neededFiles({ ...without, sendConcurrency: config.sendConcurrency + 7 }) - neededFiles(without)).toBe(7);
});
