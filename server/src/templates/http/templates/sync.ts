import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { syncTemplates } from '#templates/actions/sync-templates';
import { presentSync } from '#templates/http/present/template';
import { SyncTemplates, SyncView, syncExample, unknownAccountExample } from '#templates/http/schemas/template';

export const syncTemplatesRoute = defineOperation({
  method: 'POST',
  path: '/v1/templates/sync',
  operationId: 'syncTemplates',
  summary: 'Sync templates from the network',
  description:
    "Reads the template lists of all the tenant's accounts: new templates are added, changed ones are updated, and those that the network no longer has are removed. Drafts stay. If an account cannot be read, its templates stay as they are, and the other accounts are not affected.",
  tag: 'Templates',
  scope: 'templates:write',
  body: SyncTemplates,
  bodyIsOptional: true,
  bodyExamples: {
    all: { summary: 'All accounts', value: {} },
    one: { summary: 'One account', value: { network_account_id: '300400500600' } },
  },
  takesIdempotencyKey: true,
  answer: {
    status: 200,
    description: 'The result of the synchronization.',
    schema: SyncView,
    example: syncExample,
    headers: ['Idempotent-Replayed'],
  },
  errors: ['unknown_network_account'],
  errorExamples: [unknownAccountExample],
  handle: ({ templates }) => {
    return async (request) => {
      const { tenantId } = principalOf(request);
      return presentSync(await syncTemplates(templates, tenantId, request.body?.network_account_id ?? null));
    };
  },
});
