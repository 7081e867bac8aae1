import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const sourcesIn = (folder: string): string =>
  readdirSync(new URL(folder, root))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => read(`${folder}${file}`))
    .join('');

const promises = read('docs/promises.md');
const lists = [
  { page: 'docs/failure-modes.md', letter: 'F', count: 64 },
  { page: 'docs/security-checks.md', letter: 'S', count: 60 },
];
const everything = [promises, ...lists.map(({ page }) => read(page))].join('\n');

const NAMED_TEST = /^- \[([^\]]+)\]\(\.\.\/([^)]+)\): "(.+)"$/gm;
const RECORD = /^- \[(docs\/decisions\/[^\]]+)\]\((.+)\)$/gm;
const FAULTS = /^- `npm run chaos -- --faults ([a-z_,]+)`$/gm;
const SCENARIOS = /^- `npm run bench -- --only ([a-z,-]+)`$/gm;
const PROGRAM = /^- `node bench\/dist\/src\/([a-z-]+)\.js`$/gm;

/** What this pattern captures on a page, place by place. */
function captured(page: string, pattern: RegExp): readonly (readonly string[])[] {
  return [...page.matchAll(pattern)].map((match) => match.slice(1));
}

const proofs = captured(everything, NAMED_TEST).map(([file = '', link = '', name = '']) => ({ file, link, name }));

describe('the pages of promises', () => {
  test.each(proofs)('name a test that is there: $file, $name', ({ file, link, name }) => {
    expect(link).toBe(file);
    const begin = '(^\\s*(test|describe)(\\.each\\(.*\\))?|^\\s*\\]?\\))';
    expect(read(file)).toMatch(new RegExp(`${begin}\\(\\s*(["'\`])${written(name)}\\4`, 'm'));
  });

  test('name every scenario of the benchmark, fault of chaos, program and decision record as it is called', () => {
    const names = (pattern: RegExp) => captured(everything, pattern).flatMap(([list = '']) => list.split(','));
    const scenarios = sourcesIn('bench/src/scenarios/');
    for (const name of names(SCENARIOS)) expect(scenarios).toContain(`name: '${name}',`);
    const [, faults = ''] = /FAULTS = \{([^}]+)\}/.exec(read('bench/src/chaos/faults/all.ts')) ?? [];
    for (const name of names(FAULTS)) expect(faults).toMatch(new RegExp(`^ {2}${name}[:,]`, 'm'));
    for (const name of names(PROGRAM)) expect(existsSync(new URL(`bench/src/${name}.ts`, root)), name).toBe(true);
    for (const [file = '', link = ''] of captured(everything, RECORD)) {
      expect(`docs/${link}`).toBe(file);
      expect(existsSync(new URL(file, root)), file).toBe(true);
    }
    for (const pattern of [SCENARIOS, FAULTS, PROGRAM, RECORD]) expect(names(pattern).length).toBeGreaterThan(0);
  });
});

describe('docs/promises.md', () => {
  test('proves each promise by at least one test of its number, in the order of the numbers', () => {
    const sections = promises.split(/^## /m).slice(1);
    const numbers = sections.map((section) => Number(/^P(\d+)\n/.exec(section)?.[1]));
    expect(numbers).toEqual(Array.from({ length: 15 }, (_item, index) => index + 1));
    for (const section of sections) expect(section).toMatch(new RegExp(`: "${section.split('\n')[0]}: `));
  });
});

describe.each(lists)('$page', ({ page, letter, count }) => {
  const [opening = '', ...rows] = read(page).split(/^### /m);
  const titleOf = (row: string): string => row.split('\n')[0] ?? '';
  const isOpen = (row: string): boolean => /\bNot proven\./.test(row.replaceAll('\n', ' '));

  test('has one row for each number, in their order', () => {
    const numbers = Array.from({ length: count }, (_item, index) => `${letter}-${String(index + 1).padStart(2, '0')}`);
    expect(rows.map(titleOf)).toEqual(numbers);
  });

  test('has a proof in every row, or says that it has none', () => {
    const isProven = (row: string): boolean =>
      [NAMED_TEST, RECORD, FAULTS, SCENARIOS, PROGRAM].some((pattern) => captured(row, pattern).length > 0);
    expect(rows.filter((row) => isProven(row) === isOpen(row)).map(titleOf)).toEqual([]);
  });

  test('has nothing in a list that is read as no proof', () => {
    const known = [NAMED_TEST, RECORD, FAULTS, SCENARIOS, PROGRAM].flatMap(
      (pattern) => read(page).match(pattern) ?? [],
    );
    expect((read(page).match(/^- .*$/gm) ?? []).filter((line) => !known.includes(line))).toEqual([]);
  });

  test('says in its first lines how many rows are not proven', () => {
    const open = rows.filter(isOpen).length;
    const said = open === 0 ? / all are proven/ : new RegExp(` ${open} (is|are) not proven`);
    expect(opening.replaceAll('\n', ' ')).toMatch(said);
  });
});

describe('docs/decisions', () => {
  const records = readdirSync(new URL('docs/decisions/', root));

  test('gives each record a number of its own, without gaps, which its heading repeats', () => {
    const numbers = records.map((file) => file.slice(0, 4));
    expect(numbers).toEqual(records.map((_file, index) => String(index + 1).padStart(4, '0')));
    for (const file of records) {
      expect(read(`docs/decisions/${file}`).startsWith(`# ${file.slice(0, 4)}: `), file).toBe(true);
    }
  });

  test.each([
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'docs/deploying.md',
    'docs/guarantees.md',
    'docs/operating.md',
  ])('has every record that %s names', (file) => {
    for (const [, name = ''] of read(file).matchAll(/decisions\/(\d{4}[a-z0-9-]*)/g))
      expect(
        records.some((record) => record.startsWith(name)),
        name,
      ).toBe(true);
  });
});

/** A pattern that fits this text alone, as it stands between quotation marks in a source. */
function written(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
