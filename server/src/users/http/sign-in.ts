import { ApiProblem } from '#core/errors';
import { defineOperation } from '#http/operation';
import { addressOf } from '#http/plugins/caller-address';
import { crossSiteProblem, sessionToken } from '#http/plugins/session-cookie';
import { errorExample } from '#http/schemas/errors';
import type { SignedIn, SignInFrom } from '#users/actions/open-session';
import type { PersonDeps } from '#users/actions/person-deps';
import { signInByLink } from '#users/actions/sign-in';
import { signInByPassword } from '#users/actions/sign-in-by-password';
import { switchTenant } from '#users/actions/switch-tenant';
import { answerSignedIn } from './answer-signed-in.ts';
import { signInFrom } from './own-session.ts';
import { MeView, meExample } from './schemas/me.ts';
import { CreateSession, type CreateSessionBody, createSessionExamples } from './schemas/sign-in.ts';

const wrongPassword = errorExample('wrongPassword', 'sign_in_failed', 'The email address or the password is wrong.');

export const createSessionRoute = defineOperation({
  method: 'POST',
  path: '/v1/sessions',
  operationId: 'createSession',
  summary: 'Sign in as a person',
  description:
    'Signs a person in: sets a cookie with which every other operation works, as the agent that the person is. The response shows who it is. A session that the request already has ends. When the person has a second factor, the request is refused with `second_factor_required`: repeat it with `code`. After 10 failures for one account within 15 minutes, or 50 from one address, further attempts are refused with 429, right ones included. Requests with the cookie that change something need the header Postrider-Client, with any value, and must come from a page of this service.',
  tag: 'People',
  scope: null,
  body: CreateSession,
  bodyExamples: createSessionExamples,
  answer: { status: 201, description: 'Who is signed in.', schema: MeView, example: meExample },
  errors: [
    ...(['sign_in_failed', 'second_factor_required', 'second_factor_failed', 'not_signed_in', 'cross_site'] as const),
    ...(['not_found', 'rate_limited', 'overloaded', 'sso_required', 'forbidden'] as const),
  ],
  errorExamples: [wrongPassword],
  handle: ({ rt, db, gate, people }) => {
    return async (request, reply) => {
      const tooMany = gate.signInLimit(addressOf(request));
      if (tooMany) throw tooMany;
      if (request.body.method === 'switch') requireOwnPage(request);
      const signedIn = await signIn(people, request.body, await signInFrom(gate, request));
      return answerSignedIn({ rt, db }, { request, reply }, signedIn);
    };
  },
});

function signIn(people: PersonDeps, body: CreateSessionBody, from: SignInFrom): Promise<SignedIn> {
  if (body.method === 'switch')
    return switchTenant(people.rt, people.db, { tenantId: body.tenant_id.toLowerCase(), from });
  const { code = null, remember = false } = body;
  if (body.method === 'link') return signInByLink(people, { token: body.token, code, remember, from });
  const { email, password } = body;
  return signInByPassword(people, { email, password, code, remember, from });
}

/** @throws ApiProblem not_signed_in without a session, cross_site for what may come from a page of another site */
function requireOwnPage(request: Parameters<typeof crossSiteProblem>[0]): void {
  if (sessionToken(request.headers.cookie) === null) throw new ApiProblem('not_signed_in');
  const problem = crossSiteProblem(request);
  if (problem) throw problem;
}
