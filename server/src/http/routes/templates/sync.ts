import { syncTemplates } from '#operations/sync-templates';
import { defineOperation } from '../../operation.ts';
import { principalOf } from '../../plugins/auth.ts';
import { presentSync } from '../../present/template.ts';
import { SyncTemplates, SyncView, syncExample, unknownAccountExample } from '../../schemas/template.ts';
import { answerOnce } from './answer-once.ts';

export const syncTemplatesRoute = defineOperation({
  method: 'POST',
  path: '/v1/templates/sync',
  operationId: 'syncTemplates',
  summary: 'Sync templates from the network',
  description:
    'Reads the lists of all accounts of the tenant: what is new comes, what changed follows, what the network has no more goes. Drafts stay. One account that cannot be read leaves the others alone, and its templates as they are.',
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
    description: 'What reading came to.',
    schema: SyncView,
    example: syncExample,
    headers: ['Idempotent-Replayed'],
  },
  errors: ['unknown_network_account'],
  errorExamples: [unknownAccountExample],
  handle: (context) => {
    return async (request, reply) => {
      const { tenantId } = principalOf(request);
      const wanted = request.body?.network_account_id ?? null;
      return answerOnce(context, {
        request,
        reply,
        work: async () => presentSync(await syncTemplates(context.templates, tenantId, wanted)),
      });
    };
  },
});
