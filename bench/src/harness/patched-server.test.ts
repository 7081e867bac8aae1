import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { variants } from '../chaos/broken/variants.ts';
import { WITHOUT_STORAGE } from '../scenarios/accept.ts';
import { PatchDoesNotFit, patched } from './patched-server.ts';
import { builtPrograms } from './paths.ts';

const { root, serverFolder } = builtPrograms();

interface Compiler {
  compileText(file: string, text: string): Promise<{ readonly code: string }>;
}

/** What the build makes of a file today, also when nothing was built since it was edited. */
async function compiled(file: string): Promise<string> {
  const source = join(serverFolder, file.replace(/^dist\/(.*)\.js$/, 'src/$1.ts'));
  const text = readFileSync(source, 'utf8');
  if (source.endsWith('.sql')) return text;
  const compiler = (await import(pathToFileURL(join(root, 'scripts/compile.mjs')).href)) as Compiler;
  return (await compiler.compileText(source, text)).code;
}

const patches = [...variants.flatMap((variant) => variant.patches), ...WITHOUT_STORAGE];

test.each(patches)('what is replaced in $file occurs once in the compiled server: $find', async (patch) => {
  expect(patched(await compiled(patch.file), patch)).toContain(patch.replace);
});

test('a variant that no longer fits the server is refused instead of testing nothing', () => {
  const patch = { file: 'a.js', find: 'guard', replace: '' };
  expect(() => patched('nothing here', patch)).toThrow(PatchDoesNotFit);
  expect(() => patched('guard and guard', patch)).toThrow('occurs 2 times');
  expect(patched('one guard.', patch)).toBe('one .');
});

test('every kind of guard is taken away by some variant', () => {
  expect([...new Set(variants.map(({ expected }) => expected))].sort()).toEqual([
    'conversation',
    'duplicate',
    'inbound',
    'lost',
    'slowed',
    'suspended',
  ]);
});
