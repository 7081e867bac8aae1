import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One statement of a migration. */
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

/** Comments, texts, quoted names and bodies between dollars: what a semicolon in them does not end. */
const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?\*\/|[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1|;/g;
const MARKER = /^--!\s*(.*?)\s*$/;

/** @throws Error when it has a marker that does not exist */
export function planOf({ text, name }: Pick<Migration, 'text' | 'name'>): MigrationPlan {
  const statements: MigrationStatement[] = [];
  const header = new Set<string>();
  let current = '';
  let repeats = false;
  let end = 0;
  const finish = () => {
    if (current.trim() !== '') statements.push({ text: current.trim(), repeats });
    current = '';
    repeats = false;
  };
  const mark = (marker: string) => {
    if (marker === 'repeat') repeats = true;
    else if (marker === 'breaking' || marker === 'stepwise') header.add(marker);
    else throw new Error(`Migration ${name} has the marker "${marker}"; known are breaking, stepwise and repeat.`);
  };
  for (const match of text.matchAll(TOKEN)) {
    const [token] = match;
    current += text.slice(end, match.index);
    end = match.index + token.length;
    const marker = MARKER.exec(token)?.[1];
    if (marker !== undefined) mark(marker);
    else if (token === ';') finish();
    else if (!/^(--|\/\*)/.test(token)) current += token;
  }
  current += text.slice(end);
  finish();
  return { isBreaking: header.has('breaking'), isStepwise: header.has('stepwise'), statements };
}
