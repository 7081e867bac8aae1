import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Figure } from '../figure.ts';
import { median } from '../median.ts';
import { readSaved } from './saved.ts';

const ROOT = new URL('../../../', import.meta.url);
const saved = readSaved(fileURLToPath(new URL('bench/results', ROOT)));

const WHOLE_WAY = 'whole way ÷ the same HTTP work without storage';

/** Where a document states a figure that was saved, by the figure's name; all are of PostgreSQL. */
const STATED: readonly (readonly [document: string, figure: string, statement: RegExp])[] = [
  ['README.md', 'end to end, steady', /carry ([\d,]+) messages a second/],
  ['README.md', 'idle, post → network, p50', /reaches the network ([\d,]+) ms/],
  ['README.md', 'server memory while 1000000 messages drain', /takes ([\d,]+) MB of memory/],
  ['README.md', WHOLE_WAY, /or ([\d,]+) when the network sends every report/],
  ['docs/scale.md', WHOLE_WAY, /a cell of 2 cores +\| ([\d,]+)\/s/],
  ['docs/scale.md', 'log (WAL) per message', /([\d,]+) bytes per message \(measured/],
  ['docs/operating.md', 'log (WAL) per message', /([\d,]+) bytes for a message with everything/],
];

test.each(STATED)('%s states the figure that was saved last: %s', (document, name, statement) => {
  const [figure] = saved
    .flatMap(({ figures }) => figures)
    .filter((one) => one.name === name && one.database === 'postgres');
  const [, stated] = statement.exec(readFileSync(new URL(document, ROOT), 'utf8')) ?? [];
  expect(stated?.replaceAll(',', '')).toBe(String(Math.round(figure === undefined ? Number.NaN : statedValue(figure))));
});

/** Of a ratio, what was divided: messages a second. */
function statedValue({ name, value, detail }: Figure): number {
  if (name !== WHOLE_WAY) return value;
  const rounds = detail.busy as readonly { readonly ours: { readonly perSecond: number } }[];
  return median(rounds.map(({ ours }) => ours.perSecond));
}
