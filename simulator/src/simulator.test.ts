import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSimulator } from './simulator.ts';
import { startTestNetwork, wamidOf } from './testing/network.ts';

test('a port that is taken is refused with EADDRINUSE', async () => {
  const first = await startSimulator();
  await expect(startSimulator({ port: first.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await first.close();
});

test('the ledger file holds each send at the moment of its answer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'simulator-'));
  const file = join(folder, 'ledger.ndjson');
  const network = await startTestNetwork({ ledgerFile: file });
  const check = async (i: number): Promise<void> => {
    const id = wamidOf(await network.send({ to: `1555000${3000 + i}` }));
    expect(readFileSync(file, 'utf8')).toContain(`{"id":"${id}"`);
  };
  await Promise.all(Array.from({ length: 100 }, (_, i) => check(i)));
  expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(100);
  await network.close();
  rmSync(folder, { recursive: true });
});

test('closing ends immediately, with callbacks under way and requests unanswered', async () => {
  const network = await startTestNetwork({ sentMs: 3_600_000 });
  await network.put('/_sim/chaos', { steps: { send: [{ probability: 1, fault: 'delay', delay_ms: 3_600_000 }] } });
  const unanswered = network.send().catch(() => 'broken');
  while ((await network.get('/_sim/stats')).body.accepted !== 1);
  await network.close();
  expect(await unanswered).toBe('broken');
});
