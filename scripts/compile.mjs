// Compiles packages: TypeScript without its types, file by file. Nothing is checked here; `npm run check` does that.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** What a package was compiled from; written last, so that an interrupted run is continued by the next one. */
const RECORD = '.compiled.json';
const SOURCE = /\.(?:ts|cts|js)$/;
/** Vitest reads tests from their sources. */
const NOT_COMPILED = /\.test\.ts$|\.d\.ts$/;
const PROGRAM = join('bin', 'postrider.cjs');
/** Sources that are published: their types are written beside what is compiled from them. */
const PUBLISHED = /^sdk\/src\/(?!testing\/)/;
const WITHOUT_TYPES = {
  typescript: { onlyRemoveTypeImports: true, rewriteImportExtensions: 'rewrite' },
  sourcemap: true,
};

/** A source is not TypeScript; the message names the file and shows the place. */
export class NotCompiled extends Error {
  name = 'NotCompiled';
}

/** @param {string} name of a package @returns {boolean} whether sources have changed since it was compiled */
export function isStale(name) {
  return planOf(name).isStale;
}

/**
 * Compiles what has changed in these packages, and removes what is left of sources that are gone.
 * @param {readonly string[]} names of packages
 * @throws {NotCompiled}
 */
export async function compile(names) {
  const plans = names.map(planOf).filter(({ isStale }) => isStale);
  if (plans.length === 0) return;
  for (const plan of plans) {
    if (plan.isNew) rmSync(plan.dist, { recursive: true, force: true });
    for (const target of plan.outdated) {
      for (const file of [target, `${target}.map`, typesFileOf(target)]) rmSync(file, { force: true });
    }
    for (const source of plan.changed) await emit(plan, source);
    const program = join(plan.dist, PROGRAM);
    if (existsSync(program)) chmodSync(program, 0o755);
    mkdirSync(plan.dist, { recursive: true });
    writeFileSync(join(plan.dist, RECORD), JSON.stringify({ compiler: plan.compiler, sources: plan.sources }));
  }
}

/** What there is to do for a package: its sources by their times and sizes, against those of the record. */
function planOf(name) {
  const folder = join(root, name);
  const dist = join(folder, 'dist');
  // Everywhere but in the server the folder of a source is part of the path of what is compiled from it.
  const base = name === 'server' ? join(folder, 'src') : folder;
  const sources = sourcesOf(folder);
  const compiler = compilerVersion();
  const record = readRecord(join(dist, RECORD));
  const isNew = record.compiler !== compiler;
  const known = isNew ? {} : record.sources;
  const target = (source) => join(dist, relative(base, join(folder, source)).replace(/\.(c?)ts$/, '.$1js'));
  const changed = Object.keys(sources).filter((source) => sources[source] !== known[source]);
  const outdated = Object.keys(record.sources)
    .filter((source) => !(source in sources))
    .map(target);
  const isStale = changed.length + outdated.length > 0;
  return { folder, dist, isNew, sources, compiler, target, changed, outdated, isStale };
}

/**
 * @param {string} file the path of a source
 * @param {string} text what it holds
 * @returns {Promise<{ code: string, map: object }>} the same without its types
 * @throws {NotCompiled}
 */
export async function compileText(file, text) {
  const { transformSync } = await import('oxc-transform');
  const options = file.endsWith('.cts') ? { ...WITHOUT_TYPES, lang: 'ts', sourceType: 'commonjs' } : WITHOUT_TYPES;
  const { code, map, errors } = transformSync(file, text, options);
  const [error] = errors;
  if (error) throw new NotCompiled(`${relative(root, file)}: ${error.message}\n${error.codeframe ?? ''}`);
  return { code, map };
}

/** @returns {string} where the types of a compiled file are */
function typesFileOf(target) {
  return target.replace(/\.js$/, '.d.ts');
}

/** Writes the types of a published source; its exports say their types, so that no other file has to be read. */
async function emitTypes(from, text, to) {
  const { isolatedDeclarationSync } = await import('oxc-transform');
  const { code, errors } = isolatedDeclarationSync(from, text);
  const [error] = errors;
  if (error) throw new NotCompiled(`${relative(root, from)}: ${error.message}\n${error.codeframe ?? ''}`);
  writeFileSync(typesFileOf(to), code.replace(/( from "\.[^"]*)\.ts"/g, '$1.js"'));
}

async function emit({ folder, target }, source) {
  const from = join(folder, source);
  const to = target(source);
  mkdirSync(dirname(to), { recursive: true });
  const text = readFileSync(from, 'utf8');
  if (PUBLISHED.test(relative(root, from).split(sep).join('/'))) await emitTypes(from, text, to);
  const { code, map } = await compileText(from, text);
  map.sources = [relative(dirname(to), from).split(sep).join('/')];
  writeFileSync(to, `${code}//# sourceMappingURL=${basename(to)}.map\n`);
  writeFileSync(`${to}.map`, JSON.stringify(map));
}

/** @returns {Record<string, string>} the sources of a package with their times and sizes */
function sourcesOf(folder) {
  const found = {};
  for (const part of ['bin', 'src']) {
    if (!existsSync(join(folder, part))) continue;
    for (const name of readdirSync(join(folder, part), { recursive: true })) {
      if (!SOURCE.test(name) || NOT_COMPILED.test(name)) continue;
      const { mtimeMs, size } = statSync(join(folder, part, name));
      found[join(part, name)] = `${mtimeMs} ${size}`;
    }
  }
  return found;
}

/** Another compiler, or another version of this file, compiles everything anew. */
function compilerVersion() {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return `${dependencies['oxc-transform']} ${statSync(fileURLToPath(import.meta.url)).mtimeMs}`;
}

function readRecord(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { compiler: '', sources: {} };
  }
}
