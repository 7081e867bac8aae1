import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runWith } from '#cli/testing/fake-context';
import { readConfig } from '#runtime/config';
import { processCount } from './supervisor.ts';

test('the embedded database refuses more than one process, before anything is created', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-processes-'));
  const env = { MESSAGING_DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'silent', PORT: '0' };
  const { exitCode, stderr } = await runWith({ env }, 'serve', '--processes', '2');
  expect([exitCode, existsSync(join(folder, 'data'))]).toEqual([2, false]);
  expect(stderr).toBe(
    'The embedded database is for one process, not 2. Set DATABASE_URL, or leave MESSAGING_PROCESSES (--processes) at 1.\n',
  );
  rmSync(folder, { recursive: true, force: true });
});

test.each(['0', '257', '-1', '2.5', 'all', '1e1'])('%s is not a number of processes', (processes) => {
  expect(() => readConfig({ MESSAGING_PROCESSES: processes })).toThrow(
    'must be auto, or a whole number from 1 to 256.',
  );
});

test('auto means one process for each core that the process may use', () => {
  const config = readConfig({ MESSAGING_PROCESSES: 'auto', DATABASE_URL: 'postgres://db/x' });
  expect(processCount(config)).toBe(availableParallelism());
  expect(processCount(readConfig({}))).toBe(1);
});
