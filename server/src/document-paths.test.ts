import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const PAGES = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'bench/README.md',
  'simulator/README.md',
  'sdk/README.md',
  'deploy/README.md',
  ...readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' }).map((file) => `docs/${file}`),
].filter((page) => page.endsWith('.md'));
/** Folders that a path can begin at: documents name the files of the service and of the simulator without them. */
const FROM = ['', 'server/', 'server/src/', 'bench/', 'bench/src/', 'simulator/', 'simulator/src/', 'e2e/src/'];
/** A file of ours with the folder that it is in, or a folder of ours between backticks. */
const FILE = /(?<![\w./$-])((?:[\w.-]+\/)+[\w.-]+\.(?:ts|mjs|cjs|cts|sql|md))(?![\w/])/g;
const FOLDER =
  /`((?:server|bench|simulator|sdk|e2e|docs|contract|scripts|deploy|core|runtime|database|queue|blobs|network|http|bin|cli|testing)\/(?:[\w-]+\/)*)`/g;
/** Paths that stand for others, or are not in the sources. */
const MADE_UP = /NNNN|node_modules|\/dist\/|^\.\//;

test.each(PAGES)('every file and folder that %s names is there', (page) => {
  const text = readFileSync(new URL(page, root), 'utf8');
  const beside = page.slice(0, page.lastIndexOf('/') + 1);
  const found = [FILE, FOLDER].flatMap((pattern) => [...text.matchAll(pattern)].map(([, path = '']) => path));
  const named = new Set(found.filter((path) => !MADE_UP.test(path)));
  const missing = [...named].filter(
    (path) => ![beside, ...FROM].some((from) => existsSync(new URL(from + path, root))),
  );
  expect(missing).toEqual([]);
});
