import { readFileSync } from 'node:fs';
import type { Config } from './config.ts';

/**
 * For logs, files of media, the embedded database, name lookups and everything else that is open beside connections.
 */
const RESERVE = 256;
const NOTIFICATIONS = 2;

/** The settings that decide how many files and connections a process may have open. */
export type OpenFileNeeds = Pick<
  Config,
  'roles' | 'maxConnections' | 'sendConcurrency' | 'webhookConcurrency' | 'databasePool'
>;

/** How many files and connections a process with these settings may have open. */
export function neededFiles(config: OpenFileNeeds): number {
  const roles = config.roles.split(',').map((role) => role.trim());
  const callers = roles.includes('api') || roles.includes('receiver') ? config.maxConnections : 0;
  const outgoing = config.sendConcurrency + config.webhookConcurrency;
  return callers + outgoing + config.databasePool + NOTIFICATIONS + RESERVE;
}

/**
 * How many files and connections a process may have open.
 * @param pid absent: this process
 * @returns null where the system does not say: only Linux does
 */
export function openFileLimit(pid?: number): number | null {
  try {
    return parseOpenFileLimit(readFileSync(`/proc/${pid ?? 'self'}/limits`, 'utf8'));
  } catch {
    return null;
  }
}

/** Reads the soft limit from what proc(5) calls `limits`; null: it is not in there. */
export function parseOpenFileLimit(text: string): number | null {
  const soft = /^Max open files\s+(\d+|unlimited)/m.exec(text)?.[1];
  if (soft === undefined) return null;
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft);
}
