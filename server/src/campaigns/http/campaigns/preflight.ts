import { preflightCampaign } from '#campaigns/actions/preflight-campaign';
import { presentPreflight } from '#campaigns/http/present/campaign';
import { CampaignParams } from '#campaigns/http/schemas/campaign';
import { PreflightView, preflightExample, unknownSegmentExample } from '#campaigns/http/schemas/campaign-audience';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { NoBody } from '#http/schemas/parameters';

export const preflightCampaignRoute = defineOperation({
  method: 'POST',
  path: '/v1/campaigns/:id/preflight',
  operationId: 'preflightCampaign',
  summary: 'Preflight a campaign',
  description:
    'Runs the checks of every send for the waiting recipients and the contacts of the audience. Returns how many would be sent to, how many would be skipped and why, what it costs and how long it takes. Nothing is stored.',
  tag: 'Campaigns',
  scope: 'campaigns:read',
  params: CampaignParams,
  body: NoBody,
  takesIdempotencyKey: true,
  answer: {
    status: 200,
    description: 'What the campaign would amount to.',
    schema: PreflightView,
    example: preflightExample,
    headers: ['Idempotent-Replayed'],
  },
  errors: ['not_found', 'unknown_segment'],
  errorExamples: [unknownSegmentExample],
  handle: ({ rt, checks }) => {
    return async (request) => {
      const found = await preflightCampaign(checks, principalOf(request).tenantId, request.params.id);
      return presentPreflight(found, rt.config.walletCurrency);
    };
  },
});
