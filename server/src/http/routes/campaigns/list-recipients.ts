import Type from 'typebox';
import { RECIPIENT_STATUSES } from '#core/campaign';
import { ApiProblem } from '#core/errors';
import { listRecipients } from '#storage/campaign-recipients';
import { findCampaign } from '#storage/campaigns';
import { answerList } from '../../lists/answer-list.ts';
import { givenOnly } from '../../lists/filters.ts';
import { defineOperation } from '../../operation.ts';
import { presentRecipient } from '../../present/campaign.ts';
import { CampaignParams, RecipientView, recipientExample } from '../../schemas/campaign.ts';
import { idErrorExamples, pageExample, queryErrorExamples } from '../../schemas/examples.ts';
import { choiceOf, withExample } from '../../schemas/fields.ts';
import { listOf, pageQuery } from '../../schemas/lists.ts';

const Query = Type.Object(
  {
    ...pageQuery,
    status: Type.Optional(withExample(choiceOf(RECIPIENT_STATUSES, 'Only recipients in this state.'), 'waiting')),
  },
  { additionalProperties: false },
);

/** Cursors hold ids of 32 hex digits; a place is written as one, and grows where ids fall. */
function placeAsId(place: number): string {
  return place.toString(16).padStart(32, '0');
}

export const listCampaignRecipients = defineOperation({
  method: 'GET',
  path: '/v1/campaigns/:id/recipients',
  operationId: 'listCampaignRecipients',
  summary: 'List the recipients of a campaign',
  description: 'In the order in which they were added, each with its message or the reason why it has none.',
  tag: 'Campaigns',
  scope: 'campaigns:read',
  params: CampaignParams,
  query: Query,
  answer: {
    status: 200,
    description: 'A page of recipients.',
    schema: listOf(RecipientView, 'A page of recipients.'),
    example: pageExample(recipientExample),
    headers: ['Link'],
  },
  errors: ['not_found'],
  errorExamples: [...idErrorExamples, ...queryErrorExamples],
  handle: ({ db, cursorKey }) => {
    return (request, reply) => {
      const { id: campaignId } = request.params;
      const { status = null } = request.query;
      return answerList(request, reply, {
        cursorKey,
        name: `campaigns/${campaignId}/recipients`,
        filter: givenOnly({ status: request.query.status }),
        read: async (tenantId, { limit, offset, beforeId }) => {
          const campaign = await findCampaign(db, tenantId, campaignId);
          if (campaign === null) throw new ApiProblem('not_found');
          const afterPlace = beforeId === null ? -1 : Number.parseInt(beforeId.replaceAll('-', ''), 16);
          const items = await listRecipients(db, { ...campaign, status, afterPlace, offset, limit: limit + 1 });
          return { items: items.slice(0, limit), hasMore: items.length > limit };
        },
        idOf: (recipient) => placeAsId(recipient.place),
        present: presentRecipient,
      });
    };
  },
});
