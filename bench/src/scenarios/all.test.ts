import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { scenarios } from './all.ts';

test('every scenario has its row in the README', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const rows = [...readme.matchAll(/^\| `([a-z-]+)` +\|/gm)].map(([, name]) => name);
  expect(scenarios.map(({ name }) => name).filter((name) => !rows.includes(name))).toEqual([]);
});
