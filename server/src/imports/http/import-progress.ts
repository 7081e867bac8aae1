import { Readable } from 'node:stream';
import Type from 'typebox';
import { requireFound } from '#core/errors';
import type { TenantId } from '#core/ids';
import { csvLine } from '#core/text/csv';
import type { Database } from '#database/database';
import { defineOperation, type Operation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { belowItem, getOperation, type Resource } from '#http/resource';
import type { Import, ImportKind } from '#imports/domain/import';
import { findImport, type ImportKey, listFaults } from '#imports/store/imports';

const PAGE = 1_000;

interface ImportWords {
  readonly kind: ImportKind;
  /** What it is called in sentences: `an import`. */
  readonly noun: string;
  /** Whose fault the example of its table shows. */
  readonly field: string;
}

/** How an import of one kind is followed: its counts, and the rows that it left out. */
export function progressOperations(of: Resource<Import>, { kind, noun, field }: ImportWords): readonly Operation[] {
  const find = ({ db }: { readonly db: Database }, tenantId: TenantId, importId: string) =>
    findImport(db, { tenantId, importId }, kind);
  return [
    getOperation(of, {
      summary: `Get the progress of ${noun}`,
      description: 'Returns an import with its counts, which always add up to the number of rows processed.',
      find,
    }),
    defineOperation({
      method: 'GET',
      ...belowItem(of, 'errors', 'read'),
      operationId: `get${of.name}Errors`,
      summary: `Get the rows that ${noun} skipped`,
      description:
        'Returns a table (CSV) with the number of each row, counted from 1 without the header, its outcome, and the reason.',
      answer: {
        status: 200,
        description: 'The CSV file.',
        schema: Type.String({ description: 'CSV with a header row.' }),
        contentType: 'text/csv',
        example: `row,outcome,reason\r\n7,invalid,${field} has 3 digits; a number has 7 to 15.\r\n`,
      },
      handle: (context) => async (request, reply) => {
        const found = requireFound(await find(context, principalOf(request).tenantId, request.params.id));
        reply.type('text/csv; charset=utf-8');
        return reply.send(Readable.from(faultLines(context.db, found)));
      },
    }),
  ];
}

/** Page by page, as fast as the reader takes them. */
async function* faultLines(db: Database, of: ImportKey): AsyncIterable<string> {
  yield csvLine(['row', 'outcome', 'reason']);
  for (let afterRow = 0; ; ) {
    const page = await listFaults(db, of, afterRow, PAGE);
    if (page.length > 0) yield page.map(({ row, outcome, reason }) => csvLine([String(row), outcome, reason])).join('');
    if (page.length < PAGE) return;
    afterRow = page.at(-1)?.row ?? afterRow;
  }
}
