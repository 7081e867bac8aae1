import type { FastifyRequest } from 'fastify';
import type { BlobStore, StagedBlob } from '#blobs/blob-store';
import { sniffType } from '#blobs/sniff-type';
import { problemOf } from '#http/validation/faults';
import { isAnimatedWebp, isMimeType, MAX_UPLOAD_BYTES, safeFilename } from '#media/domain/media';
import { chooseMimeType } from '#media/domain/media-type';
import { readForm } from '#media/http/multipart';

/** A file of a form that has arrived completely, and what it is. */
export interface ReceivedFile {
  readonly blob: StagedBlob;
  readonly fields: ReadonlyMap<string, string>;
  readonly mimeType: string;
  readonly animated: boolean;
  readonly filename: string | null;
}

/** Parts without a type of their own get this one from many clients: it declares nothing. */
const NOTHING_DECLARED = 'application/octet-stream';

/**
 * Takes in the file part of a request as a stream. The caller ends it with `blob.discard`, whatever happens after.
 * @param known names of further fields
 * @throws ApiProblem validation_failed, payload_too_large, invalid_request; nothing is left then
 */
export async function receiveFile(
  request: FastifyRequest,
  blobs: BlobStore,
  known: readonly string[],
): Promise<ReceivedFile> {
  const form = await readForm<StagedBlob>(request, {
    known,
    maxFileBytes: MAX_UPLOAD_BYTES,
    receive: (file) => blobs.receive(file, MAX_UPLOAD_BYTES),
    undo: (blob) => blob.discard(),
  });
  const { content: blob, name, declaredType } = form.file;
  try {
    return {
      blob,
      fields: form.fields,
      filename: safeFilename(name),
      ...(await typeOf(blob, form.fields, declaredType)),
    };
  } catch (error) {
    await blob.discard();
    throw error;
  }
}

async function typeOf(
  blob: StagedBlob,
  fields: ReadonlyMap<string, string>,
  declaredByPart: string,
): Promise<Pick<ReceivedFile, 'mimeType' | 'animated'>> {
  if (blob.size === 0) throw problemOf([{ path: 'body.file', message: 'file is empty.' }]);
  const declared = fields.get('mime_type');
  if (declared !== undefined && !isMimeType(declared)) {
    throw problemOf([{ path: 'body.mime_type', message: 'mime_type must be a media type, for example image/jpeg.' }]);
  }
  const usable = isMimeType(declaredByPart) && declaredByPart !== NOTHING_DECLARED ? declaredByPart : null;
  const { head } = blob;
  const mimeType = chooseMimeType({ sniffed: await sniffType(head), declared: declared ?? usable, head });
  return { mimeType, animated: isAnimatedWebp(head) };
}

/** What an idempotency key is bound to: the boundary of a form differs each time, its content does not. */
export function contentOf({ blob, fields, filename }: ReceivedFile): string {
  return JSON.stringify([blob.sha256, filename, [...fields].sort()]);
}
