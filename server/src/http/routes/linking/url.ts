import { beginLink } from '#operations/begin-link';
import { defineOperation } from '../../operation.ts';
import { principalOf } from '../../plugins/auth.ts';
import { LinkUrl, linkUrlExample, PlatformParams } from '../../schemas/linking.ts';
import { formatRfc3339 } from '../../validation/rfc3339.ts';
import { callbackAddress, requirePlatform } from './platform.ts';

export const getLinkUrl = defineOperation({
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
