import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { root } from './postrider-process.ts';

/* What browsers load of the built console, by the manifest of the build. A kilobyte has 1,000 bytes, packed by gzip. */
const DIST = join(root, 'console', 'dist');
const MAX_SCRIPTS = 190_000;
const MAX_STYLES = 20_000;
const MAX_REQUESTS = 12;
const MAX_PART = 40_000;
/** What menus are made of is loaded once, when somebody points at the first button that opens one. */
const MENUS = 'src/components/open-menu.tsx';
const MAX_MENUS = 50_000;
/** What is opened in a conversation comes after the thread, which is a part itself. */
const THREAD = 'src/features/inbox/thread/thread-pane.tsx';
const IN_THREAD = /^src\/features\/inbox\/(?:thread|composer|prepared)\//;

interface Chunk {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
  readonly isEntry?: boolean;
  readonly isDynamicEntry?: boolean;
}

const manifest = JSON.parse(readFileSync(join(DIST, 'manifest.json'), 'utf8')) as Readonly<Record<string, Chunk>>;
const chunkOf = (name: string): Chunk => manifest[name] as Chunk;
const packed = (file: string): number => statSync(join(DIST, `${file}.gz`)).size;
const total = (files: Iterable<string>): number => [...files].reduce((sum, file) => sum + packed(file), 0);

/** The scripts that come with this one, without being asked for. */
function scriptsOf(name: string): ReadonlySet<string> {
  const { file, imports = [] } = chunkOf(name);
  return new Set([file, ...imports.flatMap((other) => [...scriptsOf(other)])]);
}

const [entry = ''] = Object.keys(manifest).filter((name) => chunkOf(name).isEntry);
/** The page also names a script that is not part of the program: it asks for the first data. */
const named = [...readFileSync(join(DIST, 'index.html'), 'utf8').matchAll(/<script src="\/([^"]+)"/g)];
const early = named.map(([, file = '']) => file);
const first = new Set([...scriptsOf(entry), ...early]);

describe('the console', () => {
  test('is an inbox after 190 kB of scripts, 20 kB of styles and 12 requests', () => {
    const styles = Object.values(manifest).flatMap(({ css = [] }) => css);
    expect(early).toHaveLength(1);
    expect(total(first)).toBeLessThanOrEqual(MAX_SCRIPTS);
    expect(total(new Set(styles))).toBeLessThanOrEqual(MAX_STYLES);
    // The page, its icon and manifest, and then the scripts and styles; what the inbox asks the API for is measured elsewhere.
    expect(3 + first.size + new Set(styles).size).toBeLessThanOrEqual(MAX_REQUESTS);
  });

  test('loads at most 40 kB more for whatever is opened, and 50 kB for the first menu', () => {
    const parts = Object.keys(manifest).filter((name) => chunkOf(name).isDynamicEntry);
    expect(parts.length).toBeGreaterThan(0);
    const withThread = new Set([...first, ...scriptsOf(THREAD)]);
    const isThere = (name: string) => (IN_THREAD.test(name) && name !== THREAD ? withThread : first);
    const sizes = parts.map((name) => {
      const more = [...scriptsOf(name)].filter((file) => !isThere(name).has(file));
      return [name, total(more)] as const;
    });
    expect(parts).toContain(THREAD);
    expect(sizes.filter(([name, size]) => size > (name === MENUS ? MAX_MENUS : MAX_PART))).toEqual([]);
  });

  test('brings no font, no map of its sources, and packs what it serves', () => {
    const files = readdirSync(DIST, { recursive: true, encoding: 'utf8' });
    expect(files.filter((file) => /\.(woff2?|ttf|map)$/.test(file))).toEqual([]);
    for (const file of files.filter((name) => /\.(js|css)$/.test(name))) {
      expect(gunzipSync(readFileSync(join(DIST, `${file}.gz`))).equals(readFileSync(join(DIST, file)))).toBe(true);
      expect(files).toContain(`${file}.br`);
    }
  });
});
