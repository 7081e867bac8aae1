import { defineOperation } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';
import { ifMatchHeader, matchingVersions } from '#http/plugins/if-match';
import { deletedAnswer } from '#http/schemas/deleted';
import { deleteTemplate } from '#templates/actions/manage-templates';
import {
  networkAwayExample,
  staleTemplateExample,
  TemplateIdParams,
  templateExample,
} from '#templates/http/schemas/template';

export const deleteTemplateRoute = defineOperation({
  method: 'DELETE',
  path: '/v1/templates/:id',
  operationId: 'deleteTemplate',
  summary: 'Delete a template',
  description:
    'Deletes the template in this language, at the network too. The name of a template that had been approved cannot be used there for 30 days. The network does not delete disabled templates.',
  tag: 'Templates',
  scope: 'templates:write',
  params: TemplateIdParams,
  requestHeaders: [ifMatchHeader],
  answer: deletedAnswer('The template was deleted.', templateExample.id),
  errors: ['not_found', 'conflict', 'precondition_failed', 'refused_by_network', 'network_unreachable'],
  errorExamples: [
    {
      name: 'tokenUnreadable',
      code: 'conflict',
      body: {
        error:
          'The access token of the linked account cannot be decrypted: the key f3a91c is not among those of this service.',
        code: 'conflict',
      },
    },
    {
      name: 'refusedByNetwork',
      code: 'refused_by_network',
      body: {
        error:
          'The network does not accept a value of this request; correct it and send again. (A parameter is unknown or not valid.)',
        code: 'refused_by_network',
      },
    },
    networkAwayExample,
    staleTemplateExample,
  ],
  handle: ({ templates }) => {
    return async (request) => {
      const templateId = request.params.id.toLowerCase();
      const asked = { ...requesterOf(request), templateId, versions: matchingVersions(request) };
      const { templateId: id } = await deleteTemplate(templates, asked);
      return { id, status: 'deleted' };
    };
  },
});
