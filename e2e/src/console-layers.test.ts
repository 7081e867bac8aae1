import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from './postrider-process.ts';

const source = join(root, 'console', 'src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));

interface Import {
  readonly file: string;
  /** Relative to the sources. */
  readonly target: string;
}

const imports: readonly Import[] = files.flatMap((file) =>
  [...readFileSync(join(source, file), 'utf8').matchAll(/(?:from|import\(?)\s*'([^']+)'/g)].map(([, name = '']) => ({
    file,
    target: name.startsWith('.') ? relative(source, join(source, dirname(file), name)) : name,
  })),
);

const shown = (found: readonly Import[]) => found.map(({ file, target }) => `${file} imports ${target}`);
const layerOf = (path: string) => path.split('/')[0] ?? '';
const featureOf = (path: string) => path.split('/')[1];

describe('the console', () => {
  test('has imports to judge', () => {
    expect(imports.length).toBeGreaterThan(500);
  });

  test('keeps its features apart', () => {
    const across = imports.filter(
      ({ file, target }) =>
        layerOf(file) === 'features' && layerOf(target) === 'features' && featureOf(file) !== featureOf(target),
    );
    expect(shown(across)).toEqual([]);
  });

  test('has components that know nothing of the API, of screens or of the shell', () => {
    const known = ['app', 'features', 'live', '@postrider'];
    const found = imports.filter(
      ({ file, target }) => layerOf(file) === 'components' && known.includes(layerOf(target)),
    );
    expect(shown(found)).toEqual([]);
  });

  test('has a live store without React, screens or the shell', () => {
    const known = ['app', 'features', 'components', 'react', 'react-dom', '@tanstack'];
    const found = imports.filter(({ file, target }) => layerOf(file) === 'live' && known.includes(layerOf(target)));
    expect(shown(found)).toEqual([]);
  });

  test('has no folder of more than 30 files beside their tests', () => {
    const counts = new Map<string, number>();
    for (const file of files.filter((name) => !/\.test\.tsx?$/.test(name))) {
      counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    }
    expect([...counts].filter(([, count]) => count > 30)).toEqual([]);
  });
});
