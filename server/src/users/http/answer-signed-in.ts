import type { FastifyReply, FastifyRequest } from 'fastify';
import type { JsonObject } from '#core/json';
import type { RouteContext } from '#http/deps';
import { sessionCookie } from '#http/plugins/session-cookie';
import { serviceVersion } from '#runtime/version';
import { presentMe, readMe } from '#users/actions/describe-me';
import type { SignedIn } from '#users/actions/open-session';
import { REMEMBERED_IDLE_MS } from '#users/domain/user';

/** Where a session is handed to. */
interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Gives the browser the cookie of a new session; one that is not to be remembered ends with the browser. */
export function handOverSession(
  { rt }: Pick<RouteContext, 'rt'>,
  { request, reply }: Exchange,
  { session, token }: SignedIn,
): void {
  const isRemembered = session.idleMs === REMEMBERED_IDLE_MS;
  const maxAgeS = isRemembered ? Math.floor((session.expiresMs - rt.clock.now()) / 1000) : null;
  reply.header('set-cookie', sessionCookie(request, token, maxAgeS));
  reply.header('cache-control', 'no-store');
}

/** The same, and shows who has signed in. */
export async function answerSignedIn(
  { rt, db }: Pick<RouteContext, 'rt' | 'db'>,
  exchange: Exchange,
  signedIn: SignedIn,
): Promise<JsonObject> {
  handOverSession({ rt }, exchange, signedIn);
  return presentMe(rt, serviceVersion(), await readMe(db, signedIn.session));
}
