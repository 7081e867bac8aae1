import { beginLink } from '#accounts/actions/begin-link';
import { LinkUrl, linkUrlExample, PlatformParams } from '#accounts/http/schemas/linking';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { formatRfc3339 } from '#http/validation/rfc3339';
import { callbackAddress, requirePlatform } from './platform.ts';

export const getLinkUrlRoute = defineOperation({
  method: 'GET',
  path: '/v1/:platform/oauth/url',
  operationId: 'getLinkUrl',
  summary: 'Get the URL of the dialog for linking an account',
  description:
    'Returns an address to open in the browser of the person who owns the account. Its state is signed, bound to this tenant, works once, and expires after ten minutes.',
  tag: 'Numbers',
  scope: 'numbers:write',
  params: PlatformParams,
  answer: { status: 200, description: 'The address to open.', schema: LinkUrl, example: linkUrlExample },
  errors: ['not_found', 'linking_unavailable'],
  handle: ({ rt, linking }) => {
    return async (request) => {
      requirePlatform(rt.config, request.params.platform);
      const { tenantId, keyId } = principalOf(request);
      const redirectUri = callbackAddress(rt.config, request.host);
      const { url, state, expiresMs } = await beginLink(linking, { tenantId, keyId, redirectUri });
      return { url, state, expires_at: formatRfc3339(expiresMs) };
    };
  },
});
