import { presentCampaign } from '#campaigns/http/present/campaign';
import { CampaignParams, CampaignView, campaignExample } from '#campaigns/http/schemas/campaign';
import { findCampaign } from '#campaigns/store/campaigns';
import { requireFound } from '#core/errors';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';

export const getCampaignRoute = defineOperation({
  method: 'GET',
  path: '/v1/campaigns/:id',
  operationId: 'getCampaign',
  summary: 'Get a campaign',
  description:
    'Returns the state of the campaign, and what happened to its recipients. The progress of their messages is in the reports: `GET /v1/analytics/summary?campaign_name=…`.',
  tag: 'Campaigns',
  scope: 'campaigns:read',
  params: CampaignParams,
  answer: {
    status: 200,
    description: 'The campaign.',
    schema: CampaignView,
    example: campaignExample,
    headers: ['ETag'],
  },
  errors: ['not_found'],
  handle: ({ db }) => {
    return async (request) => {
      return presentCampaign(requireFound(await findCampaign(db, principalOf(request).tenantId, request.params.id)));
    };
  },
});
