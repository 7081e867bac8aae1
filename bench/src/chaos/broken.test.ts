import { afterEach, expect, test } from 'vitest';
import { builtPrograms, type Programs } from '../harness/paths.ts';
import { makeWorkspace, type Workspace } from '../harness/workspace.ts';
import { breakServer, PatchDoesNotFit, patched } from './broken/broken-server.ts';
import { variants } from './broken/variants.ts';
import type { ViolationKind } from './evidence.ts';
import type { Fault } from './plan.ts';
import { runChaos } from './run-chaos.ts';

/*
 * The audit is worth something only when it fails without the guards. Each variant is a copy of the built server with
 * one guard taken away, under the same faults as the whole one, on the embedded database.
 */
const TIMEOUT_MS = 60_000;
const ROUNDS = 1;
const SEED = 5;

const workspaces: Workspace[] = [];

afterEach(async () => {
  for (const workspace of workspaces.splice(0)) await workspace.close();
});

async function violationsOf(programs: Programs, faults: readonly Fault[]): Promise<readonly ViolationKind[]> {
  const lines: string[] = [];
  const spec = {
    programs,
    database: 'pglite',
    postgres: null,
    rounds: ROUNDS,
    seed: SEED,
    auditEvery: 1,
    keep: false,
    faults,
  } as const;
  const { report } = await runChaos({ ...spec, say: (line) => lines.push(line) });
  expect(report.counts.accepted, lines.join('\n')).toBeGreaterThan(100);
  return report.violations.map(({ kind }) => kind);
}

test.for(variants)('the audit fails when $name', { timeout: TIMEOUT_MS }, async ({ patches, expected, faults }) => {
  const workspace = makeWorkspace();
  workspaces.push(workspace);
  const broken = breakServer(builtPrograms(), workspace.folder, patches);
  expect(await violationsOf(broken, faults)).toContain(expected);
});

test('the audit passes with every guard in place', { timeout: TIMEOUT_MS }, async () => {
  expect(await violationsOf(builtPrograms(), ['kill_server'])).toEqual([]);
});

test('a variant that no longer fits the server is refused instead of testing nothing', () => {
  const patch = { file: 'a.js', find: 'guard', replace: '' };
  expect(() => patched('nothing here', patch)).toThrow(PatchDoesNotFit);
  expect(() => patched('guard and guard', patch)).toThrow('occurs 2 times');
  expect(patched('one guard.', patch)).toBe('one .');
});
