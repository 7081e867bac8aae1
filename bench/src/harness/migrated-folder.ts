import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Programs } from './paths.ts';
import type { Workspace } from './workspace.ts';

const folders = new WeakMap<Workspace, Promise<string>>();

/**
 * A data folder with an embedded database that has all tables and no rows, for stages to copy: to make one takes longer than
 * many of them last. It is made once for each workspace.
 * @throws what `postrider migrate` wrote when it failed
 */
export function migratedFolder(from: { readonly programs: Programs; readonly workspace: Workspace }): Promise<string> {
  const { programs, workspace } = from;
  const made = folders.get(workspace) ?? makeFolder(programs.server, join(workspace.folder, 'migrated-data'));
  folders.set(workspace, made);
  return made;
}

async function makeFolder(program: string, folder: string): Promise<string> {
  await promisify(execFile)(process.execPath, [program, 'migrate'], { env: { MESSAGING_DATA_DIR: folder } });
  return folder;
}
