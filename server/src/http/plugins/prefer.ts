import type { FastifyRequest } from 'fastify';

/** "waits up to 5 s": the longest wait that is granted; more is cut to it. */
export const MAX_WAIT_S = 30;

/**
 * Seconds of `Prefer: wait=N` (RFC 7240), 1 to 30; null without it. "A server that does not recognize or is unable to
 * comply … SHOULD ignore": so a wait that is no number, and any other preference, is as if it were absent.
 */
export function waitPreference({ headers }: Pick<FastifyRequest, 'headers'>): number | null {
  const header = headers.prefer;
  if (header === undefined) return null;
  const preferences = (Array.isArray(header) ? header.join(',') : header).split(',');
  for (const preference of preferences) {
    const seconds = /^\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:;|$)/i.exec(preference)?.[1];
    if (seconds !== undefined && Number(seconds) > 0) return Math.min(Number(seconds), MAX_WAIT_S);
  }
  return null;
}
