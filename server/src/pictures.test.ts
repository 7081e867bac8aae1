import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

/* The pictures of README.md, which `npm run screens -- --pictures` makes. */
const root = new URL('../../', import.meta.url);
const FOLDER = 'docs/pictures/';
const MAX_BYTES = 150_000;

const readme = readFileSync(new URL('README.md', root), 'utf8');
const blocks = [...readme.matchAll(/<picture>[\s\S]*?<\/picture>/g)].map(([block]) => block);
const pathsIn = (block: string) => [...block.matchAll(/src(?:set)?="([^"]+)"/g)].map(([, path = '']) => path);

describe('the pictures of README.md', () => {
  test('are there for a light and a dark page, and say in words what they show', () => {
    expect(blocks.length).toBeGreaterThan(0);
    for (const block of blocks) {
      const [dark = '', light = ''] = pathsIn(block);
      expect(block).toContain('media="(prefers-color-scheme: dark)"');
      expect([dark, light].filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
      expect(dark.replace('-dark.', '-light.')).toBe(light);
      expect(/alt="[^"]{40,}"/.test(block)).toBe(true);
    }
  });

  test('are all that lie in their folder, and small', () => {
    const files = readdirSync(new URL(FOLDER, root)).map((file) => FOLDER + file);
    expect(files.toSorted()).toEqual(blocks.flatMap(pathsIn).toSorted());
    expect(files.filter((file) => statSync(new URL(file, root)).size > MAX_BYTES)).toEqual([]);
  });
});
