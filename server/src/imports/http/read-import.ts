import type { FastifyRequest } from 'fastify';
import { ApiProblem } from '#core/errors';
import type { Database } from '#database/database';
import { principalOf } from '#http/plugins/auth';
import type { Import, ImportKind } from '#imports/domain/import';
import { findImport } from '#imports/store/imports';

/** The import that a request names. @throws ApiProblem not_found, also when it is of another kind */
export async function readImport(
  db: Database,
  request: FastifyRequest<{ Params: { id: string } }>,
  kind: ImportKind,
): Promise<Import> {
  const found = await findImport(db, { tenantId: principalOf(request).tenantId, importId: request.params.id }, kind);
  if (found === null) throw new ApiProblem('not_found');
  return found;
}
