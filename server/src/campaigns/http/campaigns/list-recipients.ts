import { Readable } from 'node:stream';
import Type from 'typebox';
import { type Campaign, RECIPIENT_STATUSES } from '#campaigns/domain/campaign';
import { presentRecipient } from '#campaigns/http/present/campaign';
import { CampaignParams, RecipientView, recipientExample } from '#campaigns/http/schemas/campaign';
import { listResults, type RecipientResult } from '#campaigns/store/campaign-results';
import { findCampaign } from '#campaigns/store/campaigns';
import { ApiProblem } from '#core/errors';
import { csvLine } from '#core/text/csv';
import type { Database } from '#database/database';
import { wantsCsv } from '#http/csv';
import { answerList } from '#http/lists/answer-list';
import { givenOnly } from '#http/lists/filters';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { pageExample, queryErrorExamples } from '#http/schemas/examples';
import { choiceOf, named, withExample } from '#http/schemas/fields';
import { listOf, pageQuery } from '#http/schemas/lists';

const MAX_CODE = 64;

const Query = Type.Object(
  {
    ...pageQuery,
    status: Type.Optional(
      withExample(choiceOf(RECIPIENT_STATUSES, named('RecipientStatus', 'Only recipients in this state.')), 'waiting'),
    ),
    reason: Type.Optional(
      withExample(
        Type.String({
          pattern: '^[a-z][a-z0-9_]*$',
          maxLength: MAX_CODE,
          description: 'Only recipients who were skipped, or whose message failed, for the reason with this code.',
        }),
        'variable_missing',
      ),
    ),
  },
  { additionalProperties: false },
);

/** Cursors hold ids of 32 hex digits; a place is written as one, and grows where ids fall. */
function placeAsId(place: number): string {
  return place.toString(16).padStart(32, '0');
}

export const listCampaignRecipientsRoute = defineOperation({
  method: 'GET',
  path: '/v1/campaigns/:id/recipients',
  operationId: 'listCampaignRecipients',
  summary: 'List the recipients of a campaign',
  description:
    'Returns the recipients in the order in which they were added, each with its message and the progress of that message, or the reason why it has none. With `Accept: text/csv`, returns all of them as a table, regardless of the page requested.',
  tag: 'Campaigns',
  scope: 'campaigns:read',
  params: CampaignParams,
  query: Query,
  answer: {
    status: 200,
    description: 'A page of recipients.',
    schema: listOf(RecipientView, 'A page of recipients.'),
    example: pageExample(recipientExample),
    csvExample:
      'to,status,message_id,reason_code,reason,sent_at,delivered_at,read_at\r\n447700900123,waiting,,,,,,\r\n',
    headers: ['Link'],
  },
  errors: ['not_found'],
  errorExamples: queryErrorExamples,
  handle: ({ db, cursorKey }) => {
    return async (request, reply) => {
      const { id: campaignId } = request.params;
      const { status = null, reason = null } = request.query;
      reply.header('vary', 'accept');
      const campaign = await findCampaign(db, principalOf(request).tenantId, campaignId);
      if (campaign === null) throw new ApiProblem('not_found');
      if (wantsCsv(request.headers.accept)) {
        reply.type('text/csv; charset=utf-8');
        return reply.send(Readable.from(resultLines(db, campaign, { status, reason })));
      }
      return answerList(request, reply, {
        cursorKey,
        name: `campaigns/${campaignId}/recipients`,
        filter: givenOnly({ status: request.query.status, reason: request.query.reason }),
        read: async (_tenantId, { limit, offset, beforeId }) => {
          const afterPlace = beforeId === null ? -1 : Number.parseInt(beforeId.replaceAll('-', ''), 16);
          const items = await listResults(db, { ...campaign, status, reason, afterPlace, offset, limit: limit + 1 });
          return { items: items.slice(0, limit), hasMore: items.length > limit };
        },
        idOf: (recipient) => placeAsId(recipient.place),
        present: presentRecipient,
      });
    };
  },
});

/** Rows read at once for a table. */
const PAGE = 1_000;

/** Page by page, as fast as the reader takes them. */
async function* resultLines(
  db: Database,
  campaign: Campaign,
  filter: Pick<Parameters<typeof listResults>[1], 'status' | 'reason'>,
): AsyncIterable<string> {
  yield csvLine(['to', 'status', 'message_id', 'reason_code', 'reason', 'sent_at', 'delivered_at', 'read_at']);
  for (let afterPlace = -1; ; ) {
    const page = await listResults(db, { ...campaign, ...filter, afterPlace, offset: 0, limit: PAGE });
    if (page.length > 0) yield page.map(resultLine).join('');
    if (page.length < PAGE) return;
    afterPlace = page.at(-1)?.place ?? afterPlace;
  }
}

function resultLine(result: RecipientResult): string {
  const shown = presentRecipient(result);
  const cells = [shown.to, shown.status, shown.message_id, result.reason?.code, result.reason?.message];
  return csvLine([...cells, shown.sent_at, shown.delivered_at, shown.read_at].map((cell) => String(cell ?? '')));
}
