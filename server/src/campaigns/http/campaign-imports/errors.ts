import { Readable } from 'node:stream';
import Type from 'typebox';
import { CampaignImportParams } from '#campaigns/http/schemas/campaign-audience';
import { type CampaignImport, findCampaignImport, listRecipientFaults } from '#campaigns/store/campaign-imports';
import { ApiProblem } from '#core/errors';
import { csvLine } from '#core/text/csv';
import type { Database } from '#database/database';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';

const PAGE = 1_000;

export const getCampaignImportErrors = defineOperation({
  method: 'GET',
  path: '/v1/campaign-imports/:id/errors',
  operationId: 'getCampaignImportErrors',
  summary: 'Get the rows that a recipient import skipped',
  description:
    'Returns a table (CSV) with the number of each row, counted from 1 without the header, its outcome, and the reason.',
  tag: 'Campaigns',
  scope: 'campaigns:read',
  params: CampaignImportParams,
  answer: {
    status: 200,
    description: 'The table.',
    schema: Type.String({ description: 'CSV with a header row.' }),
    contentType: 'text/csv',
    example: 'row,outcome,reason\r\n7,invalid,to has 3 digits; a number has 7 to 15.\r\n',
  },
  errors: ['not_found'],
  handle: ({ db }) => {
    return async (request, reply) => {
      const found = await findCampaignImport(db, principalOf(request).tenantId, request.params.id);
      if (found === null) throw new ApiProblem('not_found');
      reply.type('text/csv; charset=utf-8');
      return reply.send(Readable.from(faultLines(db, found)));
    };
  },
});

/** Page by page, as fast as the reader takes them. */
async function* faultLines(db: Database, of: CampaignImport): AsyncIterable<string> {
  yield csvLine(['row', 'outcome', 'reason']);
  for (let afterRow = 0; ; ) {
    const page = await listRecipientFaults(db, of, afterRow, PAGE);
    if (page.length > 0) yield page.map(({ row, outcome, reason }) => csvLine([String(row), outcome, reason])).join('');
    if (page.length < PAGE) return;
    afterRow = page.at(-1)?.row ?? afterRow;
  }
}
