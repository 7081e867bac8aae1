import Type from 'typebox';
import { CAMPAIGN_STATUSES } from '#core/campaign';
import { listCampaigns } from '#storage/campaigns';
import { answerList } from '../../lists/answer-list.ts';
import { givenOnly } from '../../lists/filters.ts';
import { defineOperation } from '../../operation.ts';
import { presentCampaign } from '../../present/campaign.ts';
import { CampaignView, campaignExample } from '../../schemas/campaign.ts';
import { pageExample, queryErrorExamples } from '../../schemas/examples.ts';
import { choiceOf, withExample } from '../../schemas/fields.ts';
import { listOf, pageQuery } from '../../schemas/lists.ts';

const Query = Type.Object(
  {
    ...pageQuery,
    status: Type.Optional(withExample(choiceOf(CAMPAIGN_STATUSES, 'Only campaigns in this state.'), 'running')),
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
  answer: {
    status: 200,
    description: 'A page of campaigns.',
    schema: listOf(CampaignView, 'A page of campaigns, newest first.'),
    example: pageExample(campaignExample),
    headers: ['Link'],
  },
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
