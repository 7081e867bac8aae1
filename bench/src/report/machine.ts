import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';

/** What the figures were measured on. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly node: string;
  readonly postgres: string;
  readonly commit: string;
}

const BYTES_PER_GB = 1024 ** 3;

/** @param postgres version line, or why there is none */
export function describeMachine(root: string, postgres: string): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / BYTES_PER_GB),
    node: process.version,
    postgres,
    commit: commitOf(root),
  };
}

/** Short hash, with `+` when the tree has changes beside figures that were saved; `none` outside of a repository with commits. */
function commitOf(root: string): string {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    return (
      git('rev-parse', '--short', 'HEAD') +
      (git('status', '--porcelain', '--', '.', ':!bench/results') === '' ? '' : '+')
    );
  } catch {
    return 'none';
  }
}
