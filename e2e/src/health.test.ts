import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { slice } from './depth.ts';
import { root } from './postrider-process.ts';
import { ProgramFolder } from './program-folder.ts';

/* What the image runs as its health check. */
const HEALTH = join(root, 'server', 'starter', 'health.mjs');

let folder: ProgramFolder;
beforeEach(() => {
  folder = new ProgramFolder();
});
afterEach(() => folder.close());

const check = () => folder.start(HEALTH, [], { MESSAGING_DATA_DIR: folder.data }).finished;

test.each(
  slice(['dispatcher,maintenance', 'api,receiver']),
)('a process with the roles %s is healthy until it has ended', async (roles) => {
  const before = await check();
  expect(before).toMatchObject({ exitCode: 1, stdout: '' });
  expect(before.stderr).toMatch(/^Not healthy: .+\n$/);
  const service = folder.start(
    join(root, 'server', 'dist', 'bin', 'postrider.cjs'),
    ['serve', '--roles', roles],
    folder.settings,
  );
  await service.printed(/^(?:listening on|running) /m);
  expect(await check()).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
  service.child.kill('SIGTERM');
  await service.finished;
  expect(await check()).toMatchObject({ exitCode: 1 });
});
