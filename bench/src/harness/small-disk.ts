import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeWorkspace, type Workspace } from './workspace.ts';

/** A file system of a fixed size that is mounted over a folder. */
export interface SmallDisk {
  readonly folder: string;
  /** Takes all space that is left. @returns what gives it back */
  fill(): () => void;
}

const MB = 1024 * 1024;
/** The last of them is small, so that hardly a byte stays free. */
const CHUNKS = [4 * MB, 4096, 1];

/**
 * Mounts one until the workspace closes.
 * @throws Error when this user may not mount anything here
 */
export function mountSmallDisk(folder: string, sizeMb: number, workspace: Workspace): SmallDisk {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m,mode=0700`, 'postrider-run', folder], { stdio: 'pipe' });
  const unmount = (): void => void execFileSync('umount', ['--lazy', folder], { stdio: 'pipe' });
  process.prependOnceListener('exit', unmount);
  workspace.onClose(() => {
    process.removeListener('exit', unmount);
    unmount();
  });
  return { folder, fill: () => fill(join(folder, 'filler')) };
}

/** Whether this user may mount one. */
export async function mayMount(): Promise<boolean> {
  const workspace = makeWorkspace();
  try {
    mountSmallDisk(join(workspace.folder, 'disk'), 1, workspace);
    return true;
  } catch {
    return false;
  } finally {
    await workspace.close();
  }
}

function fill(file: string): () => void {
  const filler = openSync(file, 'w');
  for (const bytes of CHUNKS) writeUntilFull(filler, Buffer.alloc(bytes));
  closeSync(filler);
  return () => rmSync(file, { force: true });
}

function writeUntilFull(filler: number, chunk: Buffer): void {
  try {
    for (;;) writeSync(filler, chunk);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
