import { preflightCampaign } from '#operations/preflight-campaign';
import { defineOperation } from '../../operation.ts';
import { answerOnce } from '../../plugins/answer-once.ts';
import { principalOf } from '../../plugins/auth.ts';
import { presentPreflight } from '../../present/campaign.ts';
import { CampaignParams } from '../../schemas/campaign.ts';
import { PreflightView, preflightExample, unknownSegmentExample } from '../../schemas/campaign-audience.ts';
import { NoBody } from '../../schemas/parameters.ts';

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
  handle: (context) => {
    const { rt, checks } = context;
    return (request, reply) =>
      answerOnce(context, request, reply, async () => {
        const found = await preflightCampaign(checks, principalOf(request).tenantId, request.params.id);
        return presentPreflight(found, rt.config.walletCurrency);
      });
  },
});
