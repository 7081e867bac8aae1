import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtPrograms } from './harness/paths.ts';

const { serverFolder } = builtPrograms();

test('every built file of the server that a benchmark or a broken variant names has a source', () => {
  const named = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => [...readFileSync(join(import.meta.dirname, file), 'utf8').matchAll(/'dist\/([^'$]+)\.js'/g)])
    .map((match) => `src/${match[1]}.ts`);
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((file) => !existsSync(join(serverFolder, file)))).toEqual([]);
});
