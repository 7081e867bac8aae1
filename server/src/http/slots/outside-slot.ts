import { type ApiErrorCode, ApiProblem } from '#core/errors';
import type { HttpDeps } from '#http/deps';
import type { Handler, Operation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';

/** Whose answers may hold a request up: operations that can fail so wait for somebody outside. */
const FAILURES: readonly ApiErrorCode[] = ['network_unreachable', 'payment_unavailable'];
const SENTENCE =
  'Too many requests of this tenant are waiting for a response from outside this service. Try again shortly.';

/**
 * Keeps a tenant whose requests wait for somebody outside from taking the connections of the others: each has so many places, and
 * what finds none is refused at once. Operations that ask nobody outside stay as they are.
 */
export function inOutsideSlot(
  { rt, outside }: Pick<HttpDeps, 'rt' | 'outside'>,
  { errors }: Pick<Operation, 'errors'>,
  handle: Handler,
): Handler {
  const code = FAILURES.find((failure) => errors.includes(failure));
  if (code === undefined) return handle;
  return async (request, reply) => {
    const caller = principalOf(request);
    const release = outside.take(caller);
    if (release === null) {
      rt.metrics.refused.inc({ door: 'api', reason: 'outside' });
      throw new ApiProblem(code, { sentence: SENTENCE });
    }
    try {
      return await handle(request, reply);
    } finally {
      release();
    }
  };
}
