import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs/promises.md', root), 'utf8');

/** `- [file](../file): "name of the test"` */
const proofs = [...page.matchAll(/^- \[([^\]]+)\]\(\.\.\/([^)]+)\): "(.+)"$/gm)].map(
  ([, file = '', link = '', name = '']) => ({
    file,
    link,
    name,
  }),
);
const sections = page.split(/^## /m).slice(1);

describe('docs/promises.md', () => {
  test.each(proofs)('names a test that is there: $file, $name', ({ file, link, name }) => {
    expect(link).toBe(file);
    const source = readFileSync(new URL(file, root), 'utf8');
    expect(source).toMatch(
      new RegExp(`^\\s*(test|describe)(\\.each\\(.*\\))?\\(\\s*["'\`]${literally(name)}["'\`]`, 'm'),
    );
  });

  test('proves each promise by at least one test of its number, in the order of the numbers', () => {
    const numbers = sections.map((section) => Number(/^P(\d+)\n/.exec(section)?.[1]));
    expect(numbers).toEqual(Array.from({ length: 15 }, (_item, index) => index + 1));
    for (const section of sections) expect(section).toMatch(new RegExp(`: "${section.split('\n')[0]}: `));
  });

  test('names every scenario of the benchmark as it is called', () => {
    const scenarios = readdirSync(new URL('bench/src/scenarios/', root))
      .map((file) => readFileSync(new URL(`bench/src/scenarios/${file}`, root), 'utf8'))
      .join('');
    const named = [...page.matchAll(/--only ([a-z-]+)/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(0);
    for (const name of named) expect(scenarios).toContain(`name: '${name}',`);
  });
});

describe('docs/decisions', () => {
  const records = readdirSync(new URL('docs/decisions/', root));

  test('gives each record a number of its own, without gaps, which its heading repeats', () => {
    const numbers = records.map((file) => file.slice(0, 4));
    expect(numbers).toEqual(records.map((_file, index) => String(index + 1).padStart(4, '0')));
    for (const file of records) {
      const record = readFileSync(new URL(`docs/decisions/${file}`, root), 'utf8');
      expect(record.startsWith(`# ${file.slice(0, 4)}: `), file).toBe(true);
    }
  });

  test.each([
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'docs/guides/operating.md',
  ])('has every record that %s names', (file) => {
    const text = readFileSync(new URL(file, root), 'utf8');
    for (const [, name = ''] of text.matchAll(/decisions\/(\d{4}[a-z0-9-]*)/g))
      expect(
        records.some((record) => record.startsWith(name)),
        name,
      ).toBe(true);
  });
});

/** A pattern that fits this text alone. */
function literally(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
