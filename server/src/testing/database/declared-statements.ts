import { readdirSync } from 'node:fs';
import { sep } from 'node:path';
import type { Statement } from '#database/database';

const source = new URL('../../', import.meta.url);

/** The files that may declare statements: those of database/ and of the store/ of each feature. */
export const STATEMENT_FILES: readonly string[] = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .map((file) => file.split(sep).join('/'))
  .filter((file) => /^(database|[a-z]+\/store)\/[^/]+\.ts$/.test(file) && !file.endsWith('.test.ts'))
  .toSorted();

/** Every statement that is a constant of these files. Only in tests: vitest.config.ts adds the export that is read here. */
export async function declaredStatements(): Promise<readonly Statement[]> {
  return (await Promise.all(STATEMENT_FILES.map(declaredIn))).flat();
}

async function declaredIn(file: string): Promise<readonly Statement[]> {
  const module: { readonly everyStatement: readonly unknown[] } = await import(
    /* @vite-ignore */ `../../${file}?statements`
  );
  return module.everyStatement.flatMap(statementsIn);
}

/** A statement, or those in a list or a record of them. */
function statementsIn(value: unknown): readonly Statement[] {
  if (typeof value !== 'object' || value === null) return [];
  return 'text' in value ? [value as Statement] : Object.values(value).flatMap(statementsIn);
}
