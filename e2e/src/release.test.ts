import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { root } from './postrider-process.ts';

interface Texts {
  newerThan(a: string, b: string): boolean;
  releaseChangelog(text: string, version: string, day: string): string | null;
  setVersions(folder: string, version: string): readonly (readonly [string, string])[];
}

interface Component {
  readonly name: string;
  readonly group?: string;
  readonly version: string;
  readonly 'bom-ref': string;
  readonly hashes?: readonly { readonly content: string }[];
}

interface Materials {
  billOfMaterials(
    folder: string,
    version: string,
  ): {
    readonly components: readonly Component[];
    readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
  };
}

const load = async <T>(name: string) => (await import(pathToFileURL(join(root, 'scripts', name)).href)) as T;
const texts = await load<Texts>('release-texts.mjs');
const materials = await load<Materials>('bill-of-materials.mjs');

test.each([
  ['1.2.3', '1.2.2', true],
  ['1.10.0', '1.9.9', true],
  ['2.0.0', '1.9.9', true],
  ['1.2.3', '1.2.3', false],
  ['1.2.3', '1.3.0', false],
])('%s is newer than %s: %s', (a, b, newer) => {
  expect(texts.newerThan(a, b)).toBe(newer);
});

test('the changelog gets the version and the day, and a changelog without a fitting heading is refused', () => {
  const day = '2026-12-01';
  expect(texts.releaseChangelog('# C\n\n## [Unreleased]\n\n- A', '1.2.3', day)).toBe(
    `# C\n\n## [1.2.3] - ${day}\n\n- A`,
  );
  expect(texts.releaseChangelog('## [1.2.3] - 2026-11-01\n', '1.2.3', day)).toBe(`## [1.2.3] - ${day}\n`);
  expect(texts.releaseChangelog('## [1.2.2] - 2026-11-01\n', '1.2.3', day)).toBeNull();
});

test('every manifest, the lock file and the chart get the version, and nothing else changes', () => {
  const changed = texts.setVersions(root, '9.8.7');
  expect(changed.map(([file]) => file)).toContain('server/package.json');
  for (const [file, text] of changed) {
    const current = /"version": "(.*)"/.exec(readFileSync(join(root, 'package.json'), 'utf8'))?.[1] ?? '';
    const [before, after] = [readFileSync(join(root, file), 'utf8').split('\n'), text.split('\n')];
    expect([file, after.length]).toEqual([file, before.length]);
    const lines = before.map((line, index) => [line, after[index]]).filter(([old, now]) => old !== now);
    expect(lines.length).toBeGreaterThan(0);
    for (const [old = '', now] of lines) expect(now).toBe(old.replace(current, '9.8.7'));
  }
});

test('the bill of materials has every dependency with its checksum, and names only what it has', () => {
  const { components, dependencies } = materials.billOfMaterials(root, '9.8.7');
  const names = components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`));
  for (const part of ['server', 'console']) {
    const manifest = JSON.parse(readFileSync(join(root, part, 'package.json'), 'utf8')) as {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    const foreign = Object.keys(manifest.dependencies).filter((name) => !name.startsWith('@postrider/'));
    expect(foreign.filter((name) => !names.includes(name))).toEqual([]);
  }
  expect(names.filter((name) => /^(?:vitest|@biomejs\/biome|playwright-core)$/.test(name))).toEqual([]);
  // What lies inside of another package has its checksum there.
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly inBundle?: boolean }>>;
  };
  const unproven = components.filter(({ hashes }) => !/^[0-9a-f]{128}$/.test(hashes?.[0]?.content ?? ''));
  expect(unproven.filter((component) => packages[component['bom-ref'].split('#')[1] ?? '']?.inBundle !== true)).toEqual(
    [],
  );
  const known = new Set(dependencies.map(({ ref }) => ref));
  expect(dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !known.has(ref))).toEqual([]);
});
