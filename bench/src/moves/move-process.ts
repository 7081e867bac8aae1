import { spawn } from 'node:child_process';

export interface MoverSpec {
  readonly program: string;
  readonly databaseUrl: string;
  /** Of the command alone: no server answers there, so that the command does the work itself. */
  readonly dataDir: string;
  readonly tenantId: string;
  readonly toCell: string;
  /** Null: it is let finish. */
  readonly killAfterMs: number | null;
}

/** What became of a command. */
export interface MoverEnd {
  readonly isKilled: boolean;
  /** Null: it did not finish. */
  readonly pauseMs: number | null;
  readonly isDone: boolean;
  readonly said: string;
}

/** Runs `postrider cells move` in a process of its own, which may be killed on its way. */
export function runMover({
  program,
  databaseUrl,
  dataDir,
  tenantId,
  toCell,
  killAfterMs,
}: MoverSpec): Promise<MoverEnd> {
  const env = { PATH: process.env.PATH, DATABASE_URL: databaseUrl, MESSAGING_DATA_DIR: dataDir };
  const args = [program, 'cells', 'move', tenantId, '--to', toCell, '-o', 'json'];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  const timer = killAfterMs === null ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  return new Promise((resolve) => {
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      const isDone = code === 0;
      const pauseMs = isDone ? ((JSON.parse(out) as { pause_ms: number | null }).pause_ms ?? null) : null;
      resolve({ isKilled: signal === 'SIGKILL', isDone, pauseMs, said: err.trim() });
    });
  });
}
