import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fillDataFolder } from './data-folder.ts';
import { failuresByBlock, runnableBlocks, scriptOf } from './guide-blocks.ts';
import { freePort, type Program, postrider, root, startProgram } from './postrider-process.ts';

/*
 * The commands that the pages give to paste are pasted here, against what `npm start` starts. It expects what `npm run
 * build` makes.
 */
const guides = join(root, 'docs', 'guides');
const pages = ['README.md', ...readdirSync(guides).map((name) => join('docs', 'guides', name))]
  .map((name) => ({ name, blocks: runnableBlocks(readFileSync(join(root, name), 'utf8')) }))
  .filter(({ blocks }) => blocks.length > 0);
/** The beginning of a JPEG picture. */
const JPEG_HEAD = Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex');

let folder: string;
let started: Program;
let settings: Readonly<Record<string, string>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postrider-guides-'));
  const [port, simulatorPort] = [String(await freePort()), String(await freePort())];
  const data = fillDataFolder(join(folder, 'data'));
  const ports = {
    PORT: port,
    MESSAGING_SIMULATOR_PORT: simulatorPort,
    MESSAGING_DATA_DIR: data,
    MESSAGING_WALLET_ENABLED: 'true',
  };
  started = startProgram(join(root, 'scripts', 'start.mjs'), [], ports);
  const [, key = ''] = await started.printed(/API key +(\S+)/);
  await started.printed(/Ctrl-C stops/);
  settings = {
    BASE: `http://127.0.0.1:${port}`,
    SIM: `http://127.0.0.1:${simulatorPort}`,
    KEY: key,
    MESSAGING_DATA_DIR: data,
    NODE: process.execPath,
    POSTRIDER: postrider,
  };
});
afterAll(async () => {
  started.child.kill('SIGTERM');
  await started.finished;
  rmSync(folder, { recursive: true, force: true });
});

interface Pasted {
  readonly exitCode: number | null;
  readonly output: string;
  readonly statuses: string;
}

/** Runs a script in a separate folder, which contains the reader's pictures. */
async function paste(name: string, script: string): Promise<Pasted> {
  const work = join(folder, name.replaceAll('/', '-'));
  mkdirSync(work);
  for (const picture of ['parcel.jpg', 'header.jpg'])
    writeFileSync(join(work, picture), Buffer.concat([JPEG_HEAD, randomBytes(2_000)]));
  const statuses = join(folder, `${name.replaceAll('/', '-')}.statuses`);
  writeFileSync(statuses, '');
  const { PATH, HOME } = process.env;
  const child = spawn('bash', ['-c', script], { cwd: work, env: { PATH, HOME, ...settings, STATUSES: statuses } });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { exitCode, output, statuses: readFileSync(statuses, 'utf8') };
}

describe('commands that the pages give to paste do what the pages say', () => {
  test.each(pages)('$name', async ({ name, blocks }) => {
    const pasted = await paste(name, scriptOf(blocks));
    const expected = blocks.map(({ failures }) => failures);
    expect([failuresByBlock(pasted.statuses), pasted.exitCode, pasted.output]).toEqual([expected, 0, pasted.output]);
  });
});

test('no guide shows commands that are not pasted here, but for those that start something', () => {
  const unmarked = readdirSync(guides).filter((name) =>
    /^```(sh|bash|shell)$/m.test(readFileSync(join(guides, name), 'utf8')),
  );
  expect(unmarked).toEqual([]);
});
