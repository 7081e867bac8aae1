import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

/** A folder of the kernel: whom it may import besides itself, and why not more. */
interface FolderRule {
  readonly may: readonly string[];
  readonly because: string;
}

/** What every feature stands on. It knows no feature. */
const kernel: Readonly<Record<string, FolderRule>> = {
  core: { may: [], because: 'core holds rules without I/O, so that they can be read and tested alone' },
  runtime: { may: ['core'], because: 'runtime is what everything else stands on' },
  database: { may: ['core', 'runtime'], because: 'the database runs statements and does not know what they are about' },
  queue: { may: ['core', 'runtime'], because: 'the lane engine is handed its functions and knows no feature' },
  blobs: { may: ['core', 'runtime'], because: 'bytes are stored without knowing whose they are' },
  network: {
    may: ['core', 'runtime', 'domain'],
    because: 'a client of the outside speaks in the terms of the features and knows nothing of their tables',
  },
  http: {
    may: ['core', 'runtime', 'database', 'blobs'],
    because: 'the API serves operations that are handed to it and knows none of them',
  },
};

/** The folders of a feature: which of its other folders and which folders of the kernel each may import. */
const layers: Readonly<Record<string, FolderRule>> = {
  domain: { may: ['core'], because: 'rules without I/O can be read and tested alone' },
  store: { may: ['domain', 'core', 'runtime', 'database'], because: 'SQL knows tables, not who asks' },
  actions: {
    may: ['domain', 'store', 'core', 'runtime', 'database', 'queue', 'blobs'],
    because: 'no call to the outside can then sit inside a transaction',
  },
  http: {
    may: ['domain', 'store', 'actions', 'core', 'runtime', 'database', 'http', 'blobs'],
    because: 'the API neither sends nor dispatches',
  },
  workers: {
    may: ['domain', 'store', 'actions', 'core', 'runtime', 'database', 'queue', 'network', 'blobs', 'http'],
    because: 'loops and steps do what actions offer',
  },
};

/** Bottom up: a feature imports only features that stand before it. ARCHITECTURE.md says what each is about. */
const features = [
  'events',
  'access',
  'agents',
  'users',
  'accounts',
  'billing',
  'media',
  'business',
  'templates',
  'contacts',
  'messages',
  'conversations',
  'merges',
  'webhooks',
  'inbound',
  'compat',
  'rules',
  'campaigns',
  'imports',
  'analytics',
  'notifications',
  'erasure',
  'search',
  'timeline',
  'flows',
  'maintenance',
  'backups',
  'cells',
] as const;

/** What a folder of one feature may import of the features before it. */
const across: Readonly<Record<string, readonly string[]>> = {
  domain: ['domain'],
  store: ['domain', 'store'],
  actions: ['domain', 'store', 'actions'],
  http: ['domain', 'store', 'actions', 'http'],
  workers: ['domain', 'store', 'actions', 'workers'],
};

/** What wires and what people type: they may import everything, and nothing imports them. */
const TOP = ['bin', 'cli'];

const source = dirname(fileURLToPath(import.meta.url));
const files = readdirSync(source, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.[jt]s$/.test(entry.name))
  .map((entry) => relative(source, join(entry.parentPath, entry.name)).split(sep).join('/'))
  .filter((file) => file.includes('/'));
const isTest = (file: string) => file.endsWith('.test.ts') || file.includes('testing/');
const production = files.filter((file) => !isTest(file));
const folderOf = (file: string) => file.split('/')[0] ?? '';
const layerOf = (file: string) => file.split('/')[1] ?? '';
const isFeature = (folder: string) => (features as readonly string[]).includes(folder);

/** Text without comments and without the contents of nothing else: imports and code only. */
function codeOf(file: string): string {
  return readFileSync(join(source, file), 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|[^:'"`])\/\/.*$/gm, '$1');
}

interface Import {
  readonly specifier: string;
  /** Gone when the code runs. */
  readonly isTypeOnly: boolean;
}

function importsOf(file: string): readonly Import[] {
  const code = codeOf(file);
  const declared = [...code.matchAll(/^(?:import|export)\s+([^;'"]*?)from\s+'([^']+)'/gm)].map(
    ([, what = '', specifier = '']) => ({
      specifier,
      isTypeOnly: /^type\b/.test(what) || (/^\{/.test(what) && namesIn(what).every((name) => name.startsWith('type '))),
    }),
  );
  const other = [...code.matchAll(/^import\s+'([^']+)'|\bimport\(\s*'([^']+)'/gm)].map(([, bare, lazy]) => ({
    specifier: bare ?? lazy ?? '',
    isTypeOnly: false,
  }));
  return [...declared, ...other];
}

function namesIn(braces: string): readonly string[] {
  return braces
    .replace(/[{}]/g, '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** The file that an import leads to, below the sources; null for packages. */
function targetOf(file: string, specifier: string): string | null {
  if (specifier.startsWith('#')) return `${specifier.slice(1)}.ts`;
  if (!specifier.startsWith('.')) return null;
  return relative(source, join(source, dirname(file), specifier))
    .split(sep)
    .join('/');
}

/** Why a file may not import another one; null: it may. */
function refusalOf(file: string, target: string): string | null {
  const [from, to] = [folderOf(file), folderOf(target)];
  if (TOP.includes(from)) return null;
  if (TOP.includes(to)) return `nothing may import ${to}, which wires everything`;
  if (kernel[from]) return kernelRefusal(from, target);
  if (!isFeature(from)) return `the folder ${from} is not in the tables of who may import whom`;
  const [layer, other] = [layerOf(file), layerOf(target)];
  const rule = layers[layer];
  if (!rule) return `${layer} is not a folder that a feature has`;
  if (kernel[to]) return rule.may.includes(to) ? null : `${layer} may not import ${to}, because ${rule.because}`;
  if (from === to)
    return layer === other || rule.may.includes(other)
      ? null
      : `${layer} may not import ${other}, because ${rule.because}`;
  if (!isFeature(to)) return `${to} is not a folder of the service`;
  if (features.indexOf(to as never) > features.indexOf(from as never))
    return `${to} stands on ${from}, not the other way round`;
  return across[layer]?.includes(other) ? null : `${layer} may not import ${other} of another feature`;
}

function kernelRefusal(from: string, target: string): string | null {
  const to = folderOf(target);
  const { may, because } = kernel[from] as FolderRule;
  const allowed = to === from || may.includes(to) || (isFeature(to) && may.includes(layerOf(target)));
  return allowed ? null : `${from} may not import ${to}, because ${because}`;
}

/** Imports against the order, each with what would have to change. The list may only become shorter. */
const KNOTS: Readonly<Record<string, string>> = {
  'access/actions/manage-keys.ts > accounts/store/phone-numbers.ts':
    'a key can be limited to numbers, which must be of its tenant',
  'access/actions/manage-keys.ts > agents/store/agents.ts':
    'a key can be bound to an agent, which must stay until the commit',
  'contacts/actions/manage-contacts.ts > messages/store/message-reads.ts': 'the proof of a consent can be a message',
  'contacts/actions/save-contacts.ts > messages/domain/message.ts':
    'who opts out is no longer sent what waits, in the same transaction',
  'contacts/actions/save-contacts.ts > messages/store/dead-letters.ts':
    'who opts out is no longer sent what waits, in the same transaction',
};

function findRefusals(): readonly string[] {
  return production.flatMap((file) =>
    importsOf(file).flatMap(({ specifier }) => {
      const target = targetOf(file, specifier);
      const refusal = target === null ? null : refusalOf(file, target);
      if (refusal === null || `${file} > ${target}` in KNOTS) return [];
      return [`${file} > ${target}: ${refusal}`];
    }),
  );
}

describe('who may import whom', () => {
  test('every import points where the tables allow', () => {
    expect(findRefusals()).toEqual([]);
  });

  test('no knot is left in the list that is untied', () => {
    const imports = new Set(
      production.flatMap((file) => importsOf(file).map(({ specifier }) => `${file} > ${targetOf(file, specifier)}`)),
    );
    expect(Object.keys(KNOTS).filter((knot) => !imports.has(knot))).toEqual([]);
  });

  test('no files import each other in a circle', () => {
    const graph = new Map(production.map((file) => [file, valueImportsOf(file)]));
    expect([...graph.keys()].flatMap((file) => circleFrom(file, graph))).toEqual([]);
  });

  test('rules without I/O use no package that does I/O', () => {
    const pure = new Set(['uuid', 'node:crypto', 'node:net', 'libphonenumber-js/max', 're2js', 'typebox']);
    const packages = production
      .filter((file) => folderOf(file) === 'core' || layerOf(file) === 'domain')
      .flatMap((file) => importsOf(file).map(({ specifier }) => ({ file, specifier })))
      .filter(({ specifier }) => !/^[.#]/.test(specifier) && !pure.has(specifier));
    expect(packages).toEqual([]);
  });

  test('the tables in ARCHITECTURE.md name the same folders and rights', () => {
    const page = readFileSync(join(source, '../../ARCHITECTURE.md'), 'utf8').split('\n');
    const rowOf = (folder: string) => page.find((line) => line.startsWith(`| \`${folder}\` |`))?.split('|') ?? [];
    const namesIn = (cell = '') => [...cell.matchAll(/`([\w-]+)`/g)].map((match) => match[1] ?? '');
    for (const [folder, { may }] of [...Object.entries(kernel), ...Object.entries(layers)]) {
      const named =
        folder === 'http' && may === layers.http?.may
          ? namesIn(page.find((line) => line.startsWith('| `http` of a feature |'))?.split('|')[2])
          : namesIn(rowOf(folder)[2]);
      expect(named.toSorted(), folder).toEqual([...may].toSorted());
    }
    const listed = page.filter((line) => /^\| \d+ \| `/.test(line)).map((line) => namesIn(line.split('|')[2])[0]);
    expect(listed).toEqual([...features]);
  });
});

/** What a file needs when it runs. */
function valueImportsOf(file: string): readonly string[] {
  return importsOf(file)
    .filter(({ isTypeOnly }) => !isTypeOnly)
    .flatMap(({ specifier }) => targetOf(file, specifier) ?? []);
}

/** The way back to a file over its imports, if there is one and the file is the first of its names. */
function circleFrom(start: string, graph: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const seen = new Set<string>();
  const ways: (readonly string[])[] = [[start]];
  for (let way = ways.pop(); way !== undefined; way = ways.pop()) {
    for (const next of graph.get(way.at(-1) ?? '') ?? []) {
      if (next === start) return way.every((file) => file >= start) ? [[...way, start].join(' > ')] : [];
      if (!seen.has(next)) ways.push([...way, next]);
      seen.add(next);
    }
  }
  return [];
}

interface Only {
  readonly name: string;
  readonly pattern: RegExp;
  readonly allowed: (file: string) => boolean;
  readonly because: string;
}

const onlys: readonly Only[] = [
  {
    name: 'SQL stands only in store/ and database/',
    pattern:
      /\b(select\s[\s\S]{1,200}?\sfrom|insert\s+into|update\s+\w+\s+set|delete\s+from)\s+\w|\.(selectFrom|insertInto|updateTable|deleteFrom)\(/,
    allowed: (file) => folderOf(file) === 'database' || layerOf(file) === 'store',
    because: 'a statement elsewhere escapes the review of tenants, indexes and locks',
  },
  {
    name: 'certificates are checked wherever there are any',
    pattern: /rejectUnauthorized|checkServerIdentity|NODE_TLS_REJECT_UNAUTHORIZED/,
    allowed: () => false,
    because: 'whoever stands between would read access tokens',
  },
  {
    name: 'transactions are opened only in actions/ and by the migrator',
    pattern: /\.transaction\(/,
    allowed: (file) => layerOf(file) === 'actions' || file === 'database/migrator.ts',
    because: 'one action is one transaction, and no network call sits inside one',
  },
  {
    name: 'calls to the outside are made only in network/, blobs/ and webhooks/workers/',
    pattern: /from 'undici'|\bfetch\(|^import (?!type )[^\n]*from 'node:https?'/m,
    allowed: (file) => ['network', 'blobs', ...TOP].includes(folderOf(file)) || file.startsWith('webhooks/workers/'),
    because: 'timeouts, limits and classification of failures live there (the command line is a client of our own API)',
  },
  {
    name: 'names are looked up only in runtime/name-lookup.ts',
    pattern: /from 'node:dns|^(?![\s\S]*\blookup\b)[\s\S]*new (Agent|Pool|HttpAgent|HttpsAgent)\(/,
    allowed: (file) => file === 'runtime/name-lookup.ts',
    because: 'elsewhere a name without an answer holds one of the few threads that serve everybody',
  },
  {
    name: 'the environment is read only in bin/',
    pattern: /process\.env/,
    allowed: (file) => folderOf(file) === 'bin',
    because: 'settings are one typed object, handed in',
  },
  {
    name: 'the clock is read only in runtime/clock.ts',
    pattern: /Date\.now\(|new Date\(\)|performance\.now\(|process\.hrtime/,
    allowed: (file) => file === 'runtime/clock.ts',
    because: 'tests move time instead of sleeping',
  },
];

describe('what is done in one place only', () => {
  test.each(onlys)('$name', ({ pattern, allowed, because }) => {
    const offenders = production.filter((file) => !allowed(file) && pattern.test(codeOf(file)));
    expect(offenders.map((file) => `${file}: not here, because ${because}`)).toEqual([]);
  });
});

describe('shape', () => {
  test('no folder is called utils, helpers, lib, common or shared', () => {
    expect(files.filter((file) => /(^|\/)(utils|helpers|lib|common|shared)\//.test(file))).toEqual([]);
  });

  test('files are in kebab-case and at most 400 lines', () => {
    expect(
      files.filter(
        (file) => !/^[a-z0-9-]+(\/[a-z0-9-]+)*(\.db|\.pg)?(\.test)?\.ts$|^database\/embedded-worker\.js$/.test(file),
      ),
    ).toEqual([]);
    const long = files.filter((file) => readFileSync(join(source, file), 'utf8').split('\n').length > 400);
    expect(long).toEqual([]);
  });

  test('no folder has more than 30 files, tests not counted', () => {
    const sizes = new Map<string, number>();
    for (const file of production) sizes.set(dirname(file), (sizes.get(dirname(file)) ?? 0) + 1);
    expect([...sizes].filter(([, size]) => size > 30)).toEqual([]);
  });

  test('no name is exported from two files', () => {
    const holders = new Map<string, Set<string>>();
    for (const file of production) {
      for (const [, name = ''] of codeOf(file).matchAll(
        /^export (?:async )?(?:const|function|class|interface|type) (\w+)/gm,
      ))
        holders.set(name, (holders.get(name) ?? new Set()).add(file));
    }
    expect([...holders].filter(([, of]) => of.size > 1).map(([name, of]) => [name, ...of])).toEqual([]);
  });

  test('every route ends in Route', () => {
    const routes = production.flatMap((file) => [
      ...codeOf(file).matchAll(/^(?:export )?const (\w+) = [a-z]+Operation\b/gm),
    ]);
    expect(routes.length).toBeGreaterThan(160);
    expect(routes.map(([, name = '']) => name).filter((name) => !name.endsWith('Route'))).toEqual([]);
  });

  test('the tables refuse what a wrong import would do', () => {
    const refused = (file: string, target: string) => refusalOf(file, target) !== null;
    expect(refused('core/json.ts', 'runtime/clock.ts')).toBe(true);
    expect(refused('queue/lane.ts', 'messages/store/send-queue.ts')).toBe(true);
    expect(refused('messages/actions/send.ts', 'network/client.ts')).toBe(true);
    expect(refused('messages/domain/content.ts', 'messages/store/send-queue.ts')).toBe(true);
    expect(refused('contacts/actions/save-contacts.ts', 'campaigns/actions/run-campaigns.ts')).toBe(true);
    expect(refused('campaigns/workers/campaigner.ts', 'bin/service.ts')).toBe(true);
    expect(refused('campaigns/actions/run-campaigns.ts', 'contacts/actions/save-contacts.ts')).toBe(false);
  });
});
