import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { cpuMsOf } from './cpu-time.ts';

/** How to start a program. */
export interface ProgramSpec {
  readonly name: string;
  /** Absent: Node, with our program as the first argument. */
  readonly program?: string;
  readonly args: readonly string[];
  /** All of its environment besides PATH: nothing of the caller's leaks in. */
  readonly env: Readonly<Record<string, string>>;
  /** What it prints and logs is appended here. */
  readonly logFile: string;
  /** Resolves when the program is ready to be used. */
  readonly ready: (exited: () => boolean) => Promise<void>;
  /** Called with a function that kills it immediately, before it is ready. Harmless when it is gone. */
  readonly spawned?: (kill: () => void) => void;
}

/** Settings of Node that the image and the unit of systemd start a program with. */
export const AS_SHIPPED = { NODE_OPTIONS: '--max-semi-space-size=32' };

/** A started program; signals go to its own pid and nowhere else. */
export interface Program {
  readonly pid: number;
  /** Asks it to leave; kills it when it stays. Resolves when it is gone. */
  stop(): Promise<void>;
  signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT' | 'SIGTERM'): void;
  /** Resolves when it is gone. */
  readonly exited: Promise<void>;
  isGone(): boolean;
  /** The exit code; null: ended by a signal, or not within that time. */
  exitsWithin(timeoutMs: number): Promise<number | null>;
  /** Resident memory now, in MB; 0 when it is gone. */
  residentMb(): number;
  /** The most that was resident since `forgetPeak`, or since the start, in MB, as the kernel keeps it; 0 when it is gone. */
  peakMb(): number;
  forgetPeak(): void;
  /** CPU time that it has had, user and system, all threads; 0 when it is gone. */
  cpuMs(): number;
}

const STOP_WITHIN_MS = 20_000;
const KB_PER_MB = 1024;

/** Starts a program and waits until it is ready. @throws Error with the end of its log when it ends before that */
export async function startProgram(spec: ProgramSpec): Promise<Program> {
  const log = openSync(spec.logFile, 'a');
  const env = { PATH: process.execPath.slice(0, process.execPath.lastIndexOf('/')), ...spec.env };
  const child = spawn(spec.program ?? process.execPath, [...spec.args], { env, stdio: ['ignore', log, log] });
  closeSync(log);
  spec.spawned?.(() => void child.kill('SIGKILL'));
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  // Any end of this process (an error, a Ctrl-C) ends what it started, before the folder is deleted.
  const leave = (): void => void child.kill('SIGKILL');
  process.prependOnceListener('exit', leave);
  void exited.then(() => process.removeListener('exit', leave));
  const gone = (): boolean => child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
  try {
    await spec.ready(gone);
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(`${spec.name} did not start: ${(error as Error).message}\n${endOfLog(spec.logFile)}`);
  }
  return wrap(child, exited, gone);
}

function wrap(child: ChildProcess, exited: Promise<void>, gone: () => boolean): Program {
  const pid = child.pid ?? 0;
  return {
    pid,
    exited,
    isGone: gone,
    exitsWithin: async (timeoutMs) => {
      await Promise.race([exited, wait(timeoutMs, undefined, { ref: false })]);
      return child.exitCode;
    },
    signal: (signal) => void child.kill(signal),
    residentMb: () => (gone() ? 0 : memoryMb(pid, 'VmRSS')),
    peakMb: () => (gone() ? 0 : memoryMb(pid, 'VmHWM')),
    // proc(5): "5 … resets the peak resident set size".
    cpuMs: () => (gone() ? 0 : cpuMsOf(pid)),
    forgetPeak: () => writeFileSync(`/proc/${pid}/clear_refs`, '5'),
    stop: async () => {
      if (gone()) return;
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
      await exited;
      clearTimeout(timer);
    },
  };
}

function memoryMb(pid: number, of: 'VmRSS' | 'VmHWM'): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kb = new RegExp(`^${of}:\\s+(\\d+) kB`, 'm').exec(status)?.[1];
    return Number(kb ?? 0) / KB_PER_MB;
  } catch {
    return 0;
  }
}

const LOG_LINES_SHOWN = 20;

function endOfLog(file: string): string {
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-LOG_LINES_SHOWN).join('\n');
}
