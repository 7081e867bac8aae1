// Builds the web console into console/dist, when something that it is made of has changed, and packs what browsers load.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'console');
const dist = join(folder, 'dist');
/** What the console was built from; written last, so that an interrupted build is made again. */
const RECORD = join(dist, '.built.json');
const MADE_OF = [
  'console/src',
  'console/public',
  'console/index.html',
  'console/vite.config.mjs',
  'console/worker.config.mjs',
  'console/package.json',
  'sdk/src',
];
const NOT_PART_OF_IT = /\.test\.tsx?$|[\\/]testing[\\/]/;
const PACKED = /\.(?:js|css|svg|webmanifest)$/;
/** The best takes five times as long, for 2 % less. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } };

/** @returns {boolean} whether the console must be built */
export function isConsoleStale() {
  return !existsSync(join(dist, 'index.html')) || readRecord() !== sources();
}

/** Builds the console. @returns {Promise<void>} */
export async function buildConsole() {
  const before = sources();
  const { build } = await import('vite');
  for (const config of ['vite.config.mjs', 'worker.config.mjs']) {
    await build({ root: folder, configFile: join(folder, config), logLevel: 'warn' });
  }
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => PACKED.test(name));
  await Promise.all(files.map((name) => pack(join(dist, name))));
  writeFileSync(RECORD, before);
}

async function pack(file) {
  const bytes = readFileSync(file);
  const [small, smaller] = await Promise.all([
    promisify(gzip)(bytes, { level: 9 }),
    promisify(brotliCompress)(bytes, BROTLI),
  ]);
  writeFileSync(`${file}.gz`, small);
  writeFileSync(`${file}.br`, smaller);
}

/** Every source with its time and size, and the versions of what is built with it. */
function sources() {
  const found = MADE_OF.flatMap((path) => filesOf(join(root, path)));
  return JSON.stringify([readFileSync(fileURLToPath(import.meta.url), 'utf8').length, ...found]);
}

function filesOf(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  if (!stats.isDirectory()) return NOT_PART_OF_IT.test(path) ? [] : [`${path} ${stats.mtimeMs} ${stats.size}`];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesOf(join(path, name)));
}

function readRecord() {
  try {
    return readFileSync(RECORD, 'utf8');
  } catch {
    return '';
  }
}
