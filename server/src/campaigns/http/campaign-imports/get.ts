import { presentCampaignImport } from '#campaigns/http/present/campaign';
import {
  CampaignImportParams,
  CampaignImportView,
  campaignImportExample,
} from '#campaigns/http/schemas/campaign-audience';
import { findCampaignImport } from '#campaigns/store/campaign-imports';
import { ApiProblem } from '#core/errors';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';

export const getCampaignImport = defineOperation({
  method: 'GET',
  path: '/v1/campaign-imports/:id',
  operationId: 'getCampaignImport',
  summary: 'Get the progress of a recipient import',
  description: 'Returns an import with its counts, which always add up to the number of rows processed.',
  tag: 'Campaigns',
  scope: 'campaigns:read',
  params: CampaignImportParams,
  answer: { status: 200, description: 'The import.', schema: CampaignImportView, example: campaignImportExample },
  errors: ['not_found'],
  handle: ({ db }) => {
    return async (request) => {
      const found = await findCampaignImport(db, principalOf(request).tenantId, request.params.id);
      if (found === null) throw new ApiProblem('not_found');
      return presentCampaignImport(found);
    };
  },
});
