import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { completeLink } from '#accounts/actions/finish-link';
import { presentAccount } from '#accounts/http/present/account';
import { linkFaultPage, linkPage, PAGE_HEADERS } from '#accounts/http/present/link-page';
import { AccountView, accountExample, PlatformParams } from '#accounts/http/schemas/linking';
import { ApiProblem, apiErrors } from '#core/errors';
import { defineOperation } from '#http/operation';
import { addressOf } from '#http/plugins/caller-address';
import { withExample } from '#http/schemas/fields';
import { requirePlatform } from './platform.ts';

/** The dialog may add what it likes. */
const Query = Type.Object({
  code: Type.Optional(withExample(Type.String({ description: 'What the permission is exchanged for.' }), 'AQBx3vK')),
  state: Type.Optional(
    withExample(
      Type.String({ description: 'The state with which the dialog was opened.' }),
      '0190a6f0.4f2c.1893492600000.kq3W',
    ),
  ),
  error: Type.Optional(withExample(Type.String({ description: 'Why there is no code.' }), 'access_denied')),
  error_reason: Type.Optional(withExample(Type.String({ description: 'The same in more detail.' }), 'user_denied')),
});

const NOT_OURS = 'This link was not made by this service, or it was changed on its way. Ask for a new one.';
const CODE_REFUSED =
  'Nothing was linked. The network refused this step. Its words: The code is not valid for this app. Open the dialog again.';

export const completeLinkRoute = defineOperation({
  method: 'GET',
  path: '/v1/:platform/oauth/callback',
  operationId: 'completeLink',
  summary: 'Complete linking (OAuth callback)',
  description:
    'Exchanges the code, subscribes to the account, lists its numbers and registers them. The dialog redirects the browser here; no key is needed, because the state identifies whose dialog it was. Browsers get a page that explains what happened and what to do; programs get the account.',
  tag: 'Numbers',
  scope: null,
  params: PlatformParams,
  query: Query,
  answer: {
    status: 200,
    description: 'A token was obtained. status and steps show whether every step is complete.',
    schema: AccountView,
    example: accountExample,
  },
  errors: ['not_found', 'tenant_suspended', 'invalid_link_state', 'link_refused', 'link_failed', 'linking_unavailable'],
  errorExamples: [
    { name: 'invalidLinkState', code: 'invalid_link_state', body: { error: NOT_OURS, code: 'invalid_link_state' } },
    { name: 'linkFailed', code: 'link_failed', body: { error: CODE_REFUSED, code: 'link_failed' } },
  ],
  handle: ({ rt, linking }) => {
    return async (request, reply) => {
      requirePlatform(rt.config, request.params.platform);
      const { state = null, code = null, error = null, error_reason: errorReason = null } = request.query;
      const came = { state, code, error, errorReason, requestId: request.id, address: addressOf(request) };
      try {
        const account = await completeLink(linking, came);
        const nowMs = rt.clock.now();
        return wantsPage(request) ? sendPage(reply, linkPage(account, nowMs)) : presentAccount(account, nowMs);
      } catch (problem) {
        if (!(problem instanceof ApiProblem) || !isForPeople(problem) || !wantsPage(request)) throw problem;
        return sendPage(reply.code(problem.status), linkFaultPage(problem.message));
      }
    };
  },
});

/** Faults of ours are logged and answered as everywhere. */
function isForPeople({ code }: ApiProblem): boolean {
  return apiErrors[code].fault === 'caller' || code === 'linking_unavailable';
}

/** Browsers ask for pages by name; programs, which take anything, get JSON as everywhere. */
function wantsPage({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers.accept?.includes('text/html') === true;
}

function sendPage(reply: FastifyReply, html: string): FastifyReply {
  return reply.headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(html);
}
