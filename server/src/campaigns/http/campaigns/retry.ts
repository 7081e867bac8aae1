import Type from 'typebox';
import { requireGranted } from '#access/actions/require-granted';
import { retryCampaign } from '#campaigns/actions/retry-campaign';
import { presentCampaign } from '#campaigns/http/present/campaign';
import {
  CampaignParams,
  CampaignView,
  runningExample,
  staleCampaignExample,
  stateExample,
} from '#campaigns/http/schemas/campaign';
import { RetryBody } from '#campaigns/http/schemas/campaign-audience';
import { defineOperation } from '#http/operation';
import { principalOf, requesterOf } from '#http/plugins/auth';
import { ifMatchHeader, matchingVersions, tagVersion } from '#http/plugins/if-match';
import { scopesOfCampaign } from '#rules/domain/effect-scopes';

const Retried = Type.Object(
  { retried: Type.Integer({ description: 'Number of recipients that are waiting again.' }), campaign: CampaignView },
  { description: 'The recipients that are sent to again.' },
);

export const retryCampaignRoute = defineOperation({
  method: 'POST',
  path: '/v1/campaigns/:id/retry',
  operationId: 'retryCampaign',
  summary: 'Retry some recipients of a campaign',
  description:
    'Retries recipients of a campaign that is completed or paused: those who were skipped, or whose message failed, wait again, and the campaign runs. Each of them gets a new message, whatever happened to the first one. If there are no such recipients, the campaign stays as it is.',
  tag: 'Campaigns',
  scope: 'campaigns:write',
  sends: true,
  params: CampaignParams,
  body: RetryBody,
  bodyExamples: {
    failed: { summary: 'Those whose message failed', value: { scope: 'failed' } },
    missing: { summary: 'Those who lacked a value', value: { scope: 'skipped', codes: ['variable_missing'] } },
  },
  takesIdempotencyKey: 'within',
  requestHeaders: [ifMatchHeader],
  answer: {
    status: 200,
    description: 'The recipients are waiting again.',
    schema: Retried,
    example: { retried: 2, campaign: { ...runningExample, version: 4 } },
    headers: ['ETag', 'Idempotent-Replayed'],
  },
  errors: ['not_found', 'precondition_failed', 'campaign_state'],
  errorExamples: [
    stateExample('The campaign is canceled; only one that is completed or paused can be retried.'),
    staleCampaignExample,
  ],
  handle: ({ rt, db }) => {
    return async (request, reply, once) => {
      const { scopes: granted } = principalOf(request);
      requireGranted({ granted }, scopesOfCampaign({ hasAudience: false }));
      const asked = { ...requesterOf(request), campaignId: request.params.id, versions: matchingVersions(request) };
      const { scope, codes = null } = request.body;
      return once.run(async () => {
        const { campaign, retried } = await retryCampaign(rt, db, asked, { scope, codes });
        tagVersion(reply, campaign.version);
        return { retried, campaign: presentCampaign(campaign) };
      });
    };
  },
});
