import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Ledger, type LedgerEntry } from './ledger.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledger-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function entry(i: number, change: Partial<LedgerEntry> = {}): LedgerEntry {
  return {
    id: `wamid.${i}`,
    phoneNumberId: '1',
    to: `1555000${1000 + i}`,
    type: 'text',
    bizJson: `"m=${i}"`,
    acceptedAtMs: 1_800_000_000_000 + i,
    requestJson: `{"text":{"body":"é ${'x'.repeat(100)}"}}`,
    ...change,
  };
}

const idsIn = (file: string): readonly unknown[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).id);

test('the file holds an entry when its answer may be written, and never before that turn ends', async () => {
  const file = join(folder, 'ledger.ndjson');
  const ledger = new Ledger(file);
  const seen = await new Promise<readonly unknown[]>((resolve) => {
    ledger.append(entry(1), () => {});
    ledger.append(entry(2), () => resolve(idsIn(file)));
    expect(idsIn(file)).toEqual([]);
  });
  expect(seen).toEqual(['wamid.1', 'wamid.2']);
  ledger.close();
});

test('a hundred thousand entries keep their order and bytes over many slabs', () => {
  const file = join(folder, 'ledger.ndjson');
  const ledger = new Ledger(file);
  let answers = 0;
  for (let i = 0; i < 100_000; i++) ledger.append(entry(i), () => answers++);
  const { lines, total } = ledger.page({}, 99_998, 10);
  expect(total).toBe(100_000);
  expect(lines.map((line) => JSON.parse(line.toString()).id)).toEqual(['wamid.99998', 'wamid.99999']);
  ledger.close();
  expect(answers).toBe(100_000);
  expect(idsIn(file)).toEqual(Array.from({ length: 100_000 }, (_, i) => `wamid.${i}`));
});

test('a filter finds by recipient and by number, and counts all that match', () => {
  const ledger = new Ledger(null);
  for (let i = 0; i < 100; i++) {
    ledger.append(entry(i, { to: `1555000222${i % 10}`, phoneNumberId: String(i % 2) }), () => {});
  }
  const found = ledger.page({ to: '15550002224', phoneNumberId: '0' }, 2, 3);
  expect(found.total).toBe(10);
  expect(found.lines.map((line) => JSON.parse(line.toString()).id)).toEqual(['wamid.24', 'wamid.34', 'wamid.44']);
  expect(ledger.page({ to: '15550002224', phoneNumberId: '1' }, 0, 3).total).toBe(0);
});

test('an existing file is continued, and a reset empties it', async () => {
  const file = join(folder, 'ledger.ndjson');
  writeFileSync(file, '{"id":"wamid.old"}\n');
  const ledger = new Ledger(file);
  await new Promise<void>((resolve) => ledger.append(entry(1), resolve));
  expect(idsIn(file)).toEqual(['wamid.old', 'wamid.1']);
  ledger.reset();
  expect(idsIn(file)).toEqual([]);
  await new Promise<void>((resolve) => ledger.append(entry(2), resolve));
  expect(idsIn(file)).toEqual(['wamid.2']);
  expect(ledger.size).toBe(1);
  ledger.close();
});
