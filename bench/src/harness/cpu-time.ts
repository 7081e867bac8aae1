import { readdirSync, readFileSync } from 'node:fs';

/** proc(5) counts in ticks of USER_HZ, which is 100 on every Linux that Node runs on. */
const MS_PER_TICK = 10;

interface ProcessTimes {
  readonly parent: number;
  readonly ownTicks: number;
  /** Of children that have ended and were waited for. */
  readonly childTicks: number;
}

/** Reads a line of `/proc/<pid>/stat`. The second field is a name in brackets that may hold anything, brackets too. */
export function parseStat(line: string): ProcessTimes {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  // Counted from the third field on: ppid is the 4th; utime, stime, cutime and cstime are the 14th to 17th.
  const [utime, stime, cutime, cstime] = fields.slice(11, 15).map(Number);
  return {
    parent: Number(fields[1]),
    ownTicks: (utime ?? 0) + (stime ?? 0),
    childTicks: (cutime ?? 0) + (cstime ?? 0),
  };
}

/** CPU time, user and system, that a process has had with all its threads, in ms; 0 when it is gone. */
export function cpuMsOf(pid: number): number {
  return (timesOf(pid)?.ownTicks ?? 0) * MS_PER_TICK;
}

/** The same of a process with its children, those that have ended too: of PostgreSQL with all its backends. */
export function cpuMsOfFamily(pid: number): number {
  const parent = timesOf(pid);
  if (parent === null) return 0;
  const living = childrenOf(pid).map(timesOf);
  const ticks = living.reduce((sum, times) => sum + (times?.ownTicks ?? 0), parent.ownTicks + parent.childTicks);
  return ticks * MS_PER_TICK;
}

/** The processes that a process started and that still run. */
export function childrenOf(pid: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => timesOf(child)?.parent === pid);
}

function timesOf(pid: number): ProcessTimes | null {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return null;
  }
}
