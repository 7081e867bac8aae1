import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { SERVICE } from '#access/domain/audit';
import { type BlobStore, BlobStoreUnavailable, BlobTooLarge, type StagedBlob } from '#blobs/blob-store';
import { ApiProblem } from '#core/errors';
import type { TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { HttpDeps } from '#http/deps';
import type { Once } from '#http/once';
import { principalOf } from '#http/plugins/auth';
import { problemOf } from '#http/validation/faults';
import type { ImportFormat } from '#imports/domain/import';
import { deleteMedia } from '#media/actions/delete-media';
import { storeMedia } from '#media/actions/store-media';
import { MAX_UPLOAD_BYTES } from '#media/domain/media';

/** Content types of a table that is the body of a request itself. */
export const TABLE_TYPES: Readonly<Record<string, ImportFormat>> = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
};

/** Lets operations of this scope take tables beside JSON; the handler reads them as a stream. */
export function installTableBody(app: FastifyInstance): void {
  for (const type of Object.keys(TABLE_TYPES)) {
    app.addContentTypeParser(type, (request, payload, done) => {
      const encoding = request.headers['content-encoding'];
      const hidden = encoding !== undefined && encoding !== 'identity';
      done(hidden ? compressed() : null, payload);
    });
  }
}

function compressed(): ApiProblem {
  return new ApiProblem('unsupported_media_type', { sentence: 'Send the body without a Content-Encoding.' });
}

/** A file that is to be brought in. */
export interface ImportFile {
  readonly mediaId: string;
  /** What its content type says; null: it was uploaded before, and the body says it. */
  readonly format: ImportFormat | null;
}

/**
 * Answers a request that brings in a file: the one that its JSON names, or the body itself, which becomes media first. Does
 * nothing more than keep it when `begin` refuses, and then removes it again.
 */
export async function answerImport(
  context: Pick<HttpDeps, 'rt' | 'db' | 'blobs'>,
  request: FastifyRequest,
  once: Once,
  begin: (file: ImportFile) => Promise<JsonObject>,
): Promise<JsonObject> {
  const { body } = request;
  if (!(body instanceof Readable)) {
    return once.run(async () => begin({ mediaId: namedMedia(body), format: null }));
  }
  const blob = await receive(body, context.blobs);
  try {
    const { tenantId } = principalOf(request);
    return await once.run(() => keepAndBegin(context, { tenantId, request, blob }, begin), blob.sha256);
  } finally {
    await blob.discard();
  }
}

/** A body without a content type is not validated by any schema. */
function namedMedia(body: unknown): string {
  const { media_id: mediaId } = (body ?? {}) as { readonly media_id?: string };
  if (mediaId !== undefined) return mediaId.toLowerCase();
  throw problemOf([{ path: 'body', message: 'The body must be a JSON object, or the file itself.' }]);
}

async function receive(source: Readable, blobs: BlobStore): Promise<StagedBlob> {
  const blob = await blobs.receive(source, MAX_UPLOAD_BYTES).catch((error: unknown) => {
    if (error instanceof BlobStoreUnavailable) throw error;
    if (!(error instanceof BlobTooLarge)) {
      throw new ApiProblem('invalid_request', { sentence: 'The body ends too early.', cause: error });
    }
    throw new ApiProblem('payload_too_large', { sentence: `The file is larger than ${MAX_UPLOAD_BYTES} bytes.` });
  });
  if (blob.size > 0) return blob;
  await blob.discard();
  throw problemOf([{ path: 'body', message: 'The body is empty.' }]);
}

interface Arrived {
  readonly tenantId: TenantId;
  readonly request: Pick<FastifyRequest, 'headers'>;
  readonly blob: StagedBlob;
}

async function keepAndBegin(
  { rt, db }: Pick<HttpDeps, 'rt' | 'db'>,
  { tenantId, request, blob }: Arrived,
  begin: (file: ImportFile) => Promise<JsonObject>,
): Promise<JsonObject> {
  const [mimeType = ''] = (request.headers['content-type'] ?? '').toLowerCase().split(';', 1);
  const { sha256, size } = blob;
  const keep = (key: string): Promise<void> => blob.keep(key);
  const content = { sha256, size, mimeType: mimeType.trim(), animated: false, filename: null, keep };
  const { mediaId } = await storeMedia(rt, db, { tenantId, origin: 'upload', ...content });
  try {
    return await begin({ mediaId, format: TABLE_TYPES[content.mimeType] ?? 'csv' });
  } catch (error) {
    await deleteMedia(rt, db, { tenantId, origin: SERVICE }, mediaId);
    throw error;
  }
}
