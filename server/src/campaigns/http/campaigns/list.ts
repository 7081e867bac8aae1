import Type from 'typebox';
import { CAMPAIGN_STATUSES } from '#campaigns/domain/campaign';
import { presentCampaign } from '#campaigns/http/present/campaign';
import { CampaignView, campaignExample } from '#campaigns/http/schemas/campaign';
import { listCampaigns } from '#campaigns/store/campaigns';
import { answerList } from '#http/lists/answer-list';
import { givenOnly } from '#http/lists/filters';
import { pageAnswer } from '#http/lists/page-answer';
import { defineOperation } from '#http/operation';
import { queryErrorExamples } from '#http/schemas/examples';
import { choiceOf, named, withExample } from '#http/schemas/fields';
import { pageQuery } from '#http/schemas/lists';

const Query = Type.Object(
  {
    ...pageQuery,
    status: Type.Optional(
      withExample(choiceOf(CAMPAIGN_STATUSES, named('CampaignStatus', 'Only campaigns in this state.')), 'running'),
    ),
  },
  { additionalProperties: false },
);

export const listCampaignsRoute = defineOperation({
  method: 'GET',
  path: '/v1/campaigns',
  operationId: 'listCampaigns',
  summary: 'List campaigns',
  description: "Returns the tenant's campaigns, newest first.",
  tag: 'Campaigns',
  scope: 'campaigns:read',
  query: Query,
  answer: pageAnswer('campaigns', CampaignView, campaignExample),
  errors: [],
  errorExamples: queryErrorExamples,
  handle: ({ db, cursorKey }) => {
    return (request, reply) => {
      const { status = null } = request.query;
      return answerList(request, reply, {
        cursorKey,
        name: 'campaigns',
        filter: givenOnly({ status: request.query.status }),
        read: (tenantId, window) => listCampaigns(db, { tenantId, status }, window),
        idOf: (campaign) => campaign.campaignId,
        present: presentCampaign,
      });
    };
  },
});
