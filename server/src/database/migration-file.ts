import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What is sent at once. */
export interface MigrationStatement {
  readonly text: string;
  /** Repeated, each time in a transaction of its own, until it changes no row. */
  readonly repeats: boolean;
}

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

/** A migration as its markers and statements say. */
export interface MigrationPlan {
  /** A program that does not know this migration must not go on working. */
  readonly isBreaking: boolean;
  /** Each statement commits for itself, so that none holds a lock longer than it runs; repeating any of them is harmless. */
  readonly isStepwise: boolean;
  readonly statements: readonly MigrationStatement[];
}

const FILE_NAME = /^(\d{4})-([a-z0-9-]+)\.sql$/;

/** The numbered migrations of a folder, in order. */
export function readMigrations(folder: string): readonly Migration[] {
  return readdirSync(folder)
    .map((file) => ({ file, match: FILE_NAME.exec(file) }))
    .filter(({ match }) => match !== null)
    .map(({ file, match }) => {
      const text = readFileSync(join(folder, file), 'utf8');
      const checksum = createHash('sha256').update(text).digest('hex');
      return { version: Number(match?.[1]), name: match?.[2] ?? '', text, checksum };
    })
    .sort((a, b) => a.version - b.version);
}

const MARKER = /^\s*--!\s*(.*?)\s*$/gm;
/** Where a semicolon ends nothing, and the ones that end a statement. */
const TOKENS = /--.*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|(\$\w*\$)[\s\S]*?\1|;/g;
const MARKERS: ReadonlySet<string> = new Set(['breaking', 'stepwise', 'repeat']);

/**
 * Statements are sent one by one: Citus hands the text that it gets on to its nodes, which take only one in each.
 * @throws Error when it has a marker that does not exist
 */
export function planOf({ text, name }: Pick<Migration, 'text' | 'name'>): MigrationPlan {
  const markers = markersOf(text);
  const unknown = markers.find((marker) => !MARKERS.has(marker));
  if (unknown !== undefined)
    throw new Error(`Migration ${name} has the marker "${unknown}"; known are breaking, stepwise and repeat.`);
  const isStepwise = markers.includes('stepwise');
  const statements = cut(text).map((part) => ({ text: part, repeats: markersOf(part).includes('repeat') }));
  return { isBreaking: markers.includes('breaking'), isStepwise, statements };
}

function markersOf(text: string): readonly string[] {
  return [...text.matchAll(MARKER)].map(([, marker = '']) => marker);
}

/** Each statement with the comments before it. */
function cut(text: string): readonly string[] {
  const ends = [...text.matchAll(TOKENS)].flatMap((match) => (match[0] === ';' ? [match.index] : []));
  const parts = [...ends, text.length].map((end, at) => text.slice(at === 0 ? 0 : (ends[at - 1] ?? 0) + 1, end));
  return parts.filter(hasStatement);
}

function hasStatement(text: string): boolean {
  return text.replace(/--.*$/gm, '').trim() !== '';
}
