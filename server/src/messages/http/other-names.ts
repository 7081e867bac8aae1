import type { preValidationHookHandler } from 'fastify';
import type { HttpDeps } from '#http/deps';
import { principalOf } from '#http/plugins/auth';
import { findMessageId } from '#messages/store/named-messages';

/** What no id is: the path then names nothing. */
const NOTHING = '-';

/**
 * Lets a path name its message by the network's id too, or by the surrogate that stands for it: the id is put in its place before
 * anything looks at it. Ids of ours pass as they are, without a promise.
 */
export function readOtherNames({ db }: Pick<HttpDeps, 'db'>): preValidationHookHandler {
  return (request, _reply, done) => {
    const params = request.params as { id: string };
    if (!params.id.startsWith('wamid.')) return done();
    findMessageId(db, principalOf(request).tenantId, params.id).then((messageId) => {
      params.id = messageId ?? NOTHING;
      done();
    }, done);
  };
}
