import { readdirSync } from 'node:fs';
import type { Statement } from '#storage/database';

const folder = new URL('../storage/', import.meta.url);

/** The files of storage/ that may declare statements. */
export const STATEMENT_FILES: readonly string[] = readdirSync(folder).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
);

/** Every statement that is a constant of storage/. Only in tests: vitest.config.ts adds the export that is read here. */
export async function declaredStatements(): Promise<readonly Statement[]> {
  return (await Promise.all(STATEMENT_FILES.map(declaredIn))).flat();
}

async function declaredIn(file: string): Promise<readonly Statement[]> {
  const module: { readonly everyStatement: readonly unknown[] } = await import(
    /* @vite-ignore */ `../storage/${file}?statements`
  );
  return module.everyStatement.flatMap(statementsIn);
}

/** A statement, or those in a list or a record of them. */
function statementsIn(value: unknown): readonly Statement[] {
  if (typeof value !== 'object' || value === null) return [];
  return 'text' in value ? [value as Statement] : Object.values(value).flatMap(statementsIn);
}
