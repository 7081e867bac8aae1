import { removeCampaign } from '#campaigns/actions/manage-campaigns';
import { CampaignParams, onlyDraftExample, staleCampaignExample } from '#campaigns/http/schemas/campaign';
import { defineOperation } from '#http/operation';
import { originOf, principalOf } from '#http/plugins/auth';
import { ifMatchHeader, matchingVersions } from '#http/plugins/if-match';
import { deletedAnswer } from '#http/schemas/deleted';

export const deleteCampaignRoute = defineOperation({
  method: 'DELETE',
  path: '/v1/campaigns/:id',
  operationId: 'deleteCampaign',
  summary: 'Delete a draft campaign',
  description: 'Deletes a draft with its recipients. A campaign that was started cannot be deleted: cancel it instead.',
  tag: 'Campaigns',
  scope: 'campaigns:write',
  params: CampaignParams,
  requestHeaders: [ifMatchHeader],
  answer: deletedAnswer('The draft was deleted.', '0190a6f2-8c23-7a11-8f00-0a1b2c3d4e5f'),
  errors: ['not_found', 'precondition_failed', 'campaign_state'],
  errorExamples: [onlyDraftExample, staleCampaignExample],
  handle: ({ rt, db }) => {
    return async (request) => {
      const { tenantId } = principalOf(request);
      const { id: campaignId } = request.params;
      const versions = matchingVersions(request);
      await removeCampaign(rt, db, { tenantId, campaignId, origin: originOf(request), versions });
      return { id: campaignId, status: 'deleted' };
    };
  },
});
