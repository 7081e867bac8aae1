import { requireGranted } from '#access/actions/require-granted';
import { changeCampaign, checkCampaign } from '#campaigns/actions/manage-campaigns';
import { presentCampaign } from '#campaigns/http/present/campaign';
import {
  CampaignParams,
  CampaignView,
  ChangeCampaign,
  campaignExample,
  namesErrorExamples,
  onlyDraftExample,
  staleCampaignExample,
} from '#campaigns/http/schemas/campaign';
import { unknownSegmentExample } from '#campaigns/http/schemas/campaign-audience';
import type { PhoneNumberId } from '#core/ids';
import { givenOnly } from '#http/lists/filters';
import { defineOperation } from '#http/operation';
import { originOf, principalOf } from '#http/plugins/auth';
import { ifMatchHeader, matchingVersions } from '#http/plugins/if-match';
import { unknownNumberExample } from '#http/schemas/examples';
import { parseRfc3339 } from '#http/validation/rfc3339';
import { scopesOfCampaign } from '#rules/domain/effect-scopes';
import { givenAudience } from './read-audience.ts';

export const updateCampaignRoute = defineOperation({
  method: 'PATCH',
  path: '/v1/campaigns/:id',
  operationId: 'updateCampaign',
  summary: 'Update a draft campaign',
  description:
    'Updates the campaign. Once it has been started, its template, audience and recipients cannot be changed.',
  tag: 'Campaigns',
  scope: 'campaigns:write',
  params: CampaignParams,
  body: ChangeCampaign,
  bodyExamples: { rename: { summary: 'Another name', value: { name: 'Summer sale' } } },
  requestHeaders: [ifMatchHeader],
  answer: {
    status: 200,
    description: 'The updated draft.',
    schema: CampaignView,
    example: { ...campaignExample, name: 'Summer sale', version: 2 },
    headers: ['ETag'],
  },
  errors: [
    'not_found',
    'precondition_failed',
    'campaign_state',
    'unknown_phone_number',
    'unknown_media',
    'media_not_sendable',
    'unknown_segment',
  ],
  errorExamples: [
    unknownNumberExample,
    ...namesErrorExamples,
    onlyDraftExample,
    staleCampaignExample,
    unknownSegmentExample,
  ],
  handle: ({ rt, db, checks }) => {
    return async (request) => {
      const { tenantId, scopes: granted } = principalOf(request);
      requireGranted({ granted }, scopesOfCampaign({ hasAudience: Boolean(request.body.audience) }));
      const { name, template, phone_number_id: phoneNumberId, send_at } = request.body;
      const sendAtMs = send_at === undefined ? undefined : parseRfc3339(send_at);
      const given = await givenAudience(db, tenantId, request.body);
      const number = phoneNumberId as PhoneNumberId | undefined;
      const wish = givenOnly({ name, template, phoneNumberId: number, sendAtMs, ...given });
      await checkCampaign(checks, tenantId, wish);
      const asked = {
        tenantId,
        campaignId: request.params.id,
        origin: originOf(request),
        versions: matchingVersions(request),
      };
      const campaign = await changeCampaign(rt, db, asked, wish);
      return presentCampaign(campaign);
    };
  },
});
