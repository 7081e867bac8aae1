import { afterAll, expect, test } from 'vitest';
import { usePostgres } from '../harness/postgres.ts';
import { makeWorkspace } from '../harness/workspace.ts';
import { fuzzOnStage } from './fuzz-stage.ts';
import { linesOf } from './report.ts';

const TIMEOUT_MS = 240_000;
const CASES = 40;
const SEED = 3;

const workspace = makeWorkspace();
afterAll(() => workspace.close());

test('while connections of the database are ended, 503 with Retry-After is all that is added, and no accepted message is lost', {
  timeout: TIMEOUT_MS,
}, async () => {
  const postgres = await usePostgres(process.env.TEST_DATABASE_URL ?? '');
  const hasNextRound = (round: number): boolean => round === 0;
  const spec = {
    database: 'postgres',
    postgres,
    workspace,
    seed: SEED,
    cases: CASES,
    killBackends: true,
    hasNextRound,
  } as const;
  const report = await fuzzOnStage({ ...spec, name: 'fuzz-killed' });
  expect(linesOf('postgres', report).slice(1)).toEqual([]);
  expect(report.away).toBeGreaterThan(0);
  expect(report.accepted).toBeGreaterThan(0);
});
