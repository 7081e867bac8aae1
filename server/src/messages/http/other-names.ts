import type { preValidationHookHandler } from 'fastify';
import type { HttpDeps } from '#http/deps';
import { principalOf } from '#http/plugins/auth';
import { MESSAGE_NAME } from '#messages/domain/network-message-id';
import { findMessageId, findMessageIds } from '#messages/store/named-messages';

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

/**
 * Lets a body that sends name what it replies to in the same ways, `reply_to` of each message of a batch too. A name that is nobody's
 * stays as it is: what checks the send says so.
 */
export function readQuotedNames({ db }: Pick<HttpDeps, 'db'>): preValidationHookHandler {
  return (request, _reply, done) => {
    const quoting = sendsIn(request.body).filter(hasOtherName);
    if (quoting.length === 0) return done();
    const names = quoting.map((send) => send.reply_to);
    findMessageIds(db, principalOf(request).tenantId, names).then((ids) => {
      for (const send of quoting) send.reply_to = ids.get(send.reply_to) ?? send.reply_to;
      done();
    }, done);
  };
}

/** The messages of a body: itself, the first one of a conversation, or those of a batch. */
function sendsIn(body: unknown): readonly unknown[] {
  if (!isObject(body)) return [];
  const { message, messages } = body;
  return [body, message, ...(Array.isArray(messages) ? messages : [])];
}

function hasOtherName(send: unknown): send is { reply_to: string } {
  if (!isObject(send) || typeof send.reply_to !== 'string') return false;
  return send.reply_to.startsWith('wamid.') && MESSAGE_NAME.test(send.reply_to);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
