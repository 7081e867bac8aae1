import type { FastifyRequest } from 'fastify';
import type { HttpDeps } from '#http/deps';
import { principalOf } from '#http/plugins/auth';

/** Waits within a slot of the caller; null when it has none left. The slot is given back when the wait is over. */
export async function inSlot<T>(
  { rt, waits }: Pick<HttpDeps, 'rt' | 'waits'>,
  request: Pick<FastifyRequest, 'principal'>,
  wait: () => Promise<T>,
): Promise<T | null> {
  const caller = principalOf(request);
  const release = waits.take(caller);
  if (release === null) {
    rt.metrics.refused.inc({ door: 'api', reason: 'long_polls' });
    return null;
  }
  rt.metrics.longPolls.inc();
  try {
    return await wait();
  } finally {
    rt.metrics.longPolls.dec();
    release();
  }
}
