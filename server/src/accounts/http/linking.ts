import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { beginLink } from '#accounts/actions/begin-link';
import { completeLink } from '#accounts/actions/finish-link';
import { ApiProblem, apiErrors } from '#core/errors';
import { defineOperation, type Operation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { addressOf } from '#http/plugins/caller-address';
import { errorExample } from '#http/schemas/errors';
import { optional, withExample } from '#http/schemas/fields';
import { formatRfc3339 } from '#http/validation/rfc3339';
import type { Config } from '#runtime/config';
import { presentAccount } from './present/account.ts';
import { linkFaultPage, linkPage, PAGE_HEADERS } from './present/link-page.ts';
import { AccountView, accountExample, LinkUrl, linkUrlExample, PlatformParams } from './schemas/linking.ts';

/** "`platform` is always an alias": whatever the network owner is called here. */
const ALIAS = 'platform';

const getLinkUrlRoute = defineOperation({
  method: 'GET',
  path: '/v1/:platform/oauth/url',
  operationId: 'getLinkUrl',
  summary: 'Get the URL of the dialog for linking an account',
  description:
    'Returns a URL to open in the browser of the person who owns the account. Its state is signed, bound to this tenant, works once, and expires after ten minutes.',
  tag: 'Numbers',
  scope: 'numbers:write',
  params: PlatformParams,
  answer: { status: 200, description: 'The URL to open.', schema: LinkUrl, example: linkUrlExample },
  errors: ['not_found', 'linking_unavailable'],
  handle: ({ rt, linking }) => {
    return async (request) => {
      requirePlatform(rt.config, request.params.platform);
      const { tenantId, keyId } = principalOf(request);
      const agentId = keyId === null ? (request.agent?.agentId ?? null) : null;
      const redirectUri = callbackAddress(rt.config, request.host);
      const { url, state, expiresMs } = await beginLink(linking, { tenantId, keyId, agentId, redirectUri });
      return { url, state, expires_at: formatRfc3339(expiresMs) };
    };
  },
});

/** The dialog may add what it likes. */
const Query = Type.Object(
  optional({
    code: withExample(Type.String({ description: 'Authorization code from the dialog.' }), 'AQBx3vK'),
    state: withExample(
      Type.String({ description: 'State that the dialog was opened with.' }),
      '0190a6f0.4f2c.1893492600000.kq3W',
    ),
    error: withExample(
      Type.String({ description: 'Error code, if the dialog returned no authorization code.' }),
      'access_denied',
    ),
    error_reason: withExample(Type.String({ description: 'Description of the error.' }), 'user_denied'),
  }),
);

const NOT_OURS = 'This link was not created by this service, or it was modified. Ask for a new one.';
const CODE_REFUSED =
  'Nothing was linked. The network rejected this step. Its response: The code is not valid for this app. Open the dialog again.';

const completeLinkRoute = defineOperation({
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
  errors: [
    'not_found',
    'tenant_suspended',
    'tenant_moving',
    'invalid_link_state',
    'link_refused',
    'link_failed',
    'linking_unavailable',
  ],
  errorExamples: [
    errorExample('invalidLinkState', 'invalid_link_state', NOT_OURS),
    errorExample('linkFailed', 'link_failed', CODE_REFUSED),
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

/** In the order of the documentation. */
export const linkingOperations: readonly Operation[] = [getLinkUrlRoute, completeLinkRoute];

/** @throws ApiProblem not_found for any other name than the configured one */
function requirePlatform({ platform }: Pick<Config, 'platform'>, named: string): void {
  if (named !== platform && named !== ALIAS) throw new ApiProblem('not_found');
}

/**
 * Where the dialog leads back to. Without MESSAGING_LINK_CALLBACK_URL this is the host that the caller used; the network
 * itself leads only to addresses that its app has registered.
 * @throws ApiProblem invalid_request when the host is not an address
 */
function callbackAddress(config: Pick<Config, 'linkCallbackUrl' | 'platform'>, host: string): string {
  const base = (config.linkCallbackUrl === '' ? `http://${host}` : config.linkCallbackUrl).replace(/\/$/, '');
  const address = `${base}/v1/${encodeURIComponent(config.platform)}/oauth/callback`;
  if (!URL.canParse(address)) throw new ApiProblem('invalid_request');
  return address;
}

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
