import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Programs } from './paths.ts';

export interface NewerVersion {
  /** Counts from 1; each is newer than all before it. */
  readonly version: number;
  /** Whether programs that do not know its migration must stop. */
  readonly isBreaking: boolean;
}

const FIRST_MIGRATION = 9000;

/**
 * Copies a built server into `folder` as its own successor: with one more migration, which changes a busy table.
 * @returns the programs with the successor instead of the server
 */
export function newerServer(programs: Programs, folder: string, { version, isBreaking }: NewerVersion): Programs {
  const copy = join(folder, `server-${version}`);
  cpSync(programs.serverFolder, copy, { recursive: true });
  const text = `alter table outbound_messages add column of_version_${version} text;\n`;
  const file = join(copy, 'migrations', `${FIRST_MIGRATION + version}-version-${version}.sql`);
  writeFileSync(file, isBreaking ? `--! breaking\n${text}` : text);
  return { ...programs, serverFolder: copy, server: programs.server.replace(programs.serverFolder, copy) };
}
