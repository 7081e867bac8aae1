import type { Runtime } from '#runtime/runtime';
import type { Work } from '#runtime/work-health';
import { type Database, StorageUnavailable } from './database.ts';
import { checkHealth } from './health.ts';
import { storageSentence } from './pg-errors.ts';

/** Why a process should get no requests now. */
export interface Unready {
  readonly part: Work | 'database' | 'processes';
  readonly sentence: string;
  /** For the log only. */
  readonly cause?: unknown;
}

/** A process is judged by what its roles do; what others store through it is not its trade. */
const ROLE_OF: Readonly<Record<Work, string>> = {
  accept: 'api',
  callbacks: 'receiver',
  claim: 'dispatcher',
  settle: 'dispatcher',
};

/** Whether the database answers, and whether what this process stored lately was stored. @returns nothing when ready */
export async function findUnready(rt: Runtime, db: Database): Promise<readonly Unready[]> {
  const health = await checkHealth(db);
  if (!health.ok) return [{ part: 'database', sentence: `${storageSentence(health.cause)}.`, cause: health.cause }];
  const roles = rt.config.roles.split(',').map((role) => role.trim());
  return rt.workHealth
    .failing()
    .filter(({ work }) => roles.includes(ROLE_OF[work]))
    .map(({ work, sentence }) => ({ part: work, sentence }));
}

/** Notes that work failed, when the database was the reason: a row that is wrong says nothing about the process. */
export function noteFailure(rt: Runtime, work: Work, error: unknown): void {
  if (error instanceof StorageUnavailable) rt.workHealth.failed(work, `${storageSentence(error)}.`);
}

/** Runs work and notes its outcome. */
export async function noting<T>(rt: Runtime, work: Work, run: () => Promise<T>): Promise<T> {
  try {
    const result = await run();
    rt.workHealth.succeeded(work);
    return result;
  } catch (error) {
    noteFailure(rt, work, error);
    throw error;
  }
}
