import type { onRequestHookHandler } from 'fastify';
import { ApiProblem } from '#core/errors';
import { principalOf } from '#http/plugins/auth';
import type { MessageAcceptor } from '#messages/actions/accept-message';
import type { Runtime } from '#runtime/runtime';

/** Refuses requests that store messages while more of them wait than can be stored soon: before their bodies are read. */
export function makeOverloadGuard(rt: Runtime, acceptor: Pick<MessageAcceptor, 'isBacklogged'>): onRequestHookHandler {
  return (request, _reply, done) => {
    if (!acceptor.isBacklogged(principalOf(request).tenantId)) return done();
    rt.metrics.refused.inc({ door: 'api', reason: 'overload' });
    done(new ApiProblem('overloaded'));
  };
}
