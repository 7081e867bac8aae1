import { cpSync } from 'node:fs';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Made once per run by server/src/testing/template-database.ts. */
    readonly templateDatabase: { readonly kind: 'pglite'; readonly folder: string } | { readonly kind: 'postgres' };
  }
}

/** Fills a data folder with a migrated database: most tests are not about the first start, which takes 3 s to make one. */
export function fillDataFolder(folder: string): string {
  const template = inject('templateDatabase');
  if (template.kind === 'pglite') cpSync(template.folder, folder, { recursive: true });
  return folder;
}
