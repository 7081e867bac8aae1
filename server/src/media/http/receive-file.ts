import type { FastifyRequest } from 'fastify';
import { checkSendingNumber } from '#accounts/actions/sending-number';
import type { BlobStore, StagedBlob } from '#blobs/blob-store';
import { sniffType } from '#blobs/sniff-type';
import type { TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { HttpDeps } from '#http/deps';
import type { Once } from '#http/once';
import { principalOf } from '#http/plugins/auth';
import { problemOf } from '#http/validation/faults';
import type { ArrivedMedia } from '#media/actions/store-media';
import { isAnimatedWebp, isMimeType, MAX_UPLOAD_BYTES, safeFilename } from '#media/domain/media';
import { mediaLimits } from '#media/domain/media-content';
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

/** What a form may have beside its file, and which of its fields says what the file is. */
export interface FormFields {
  readonly known: readonly string[];
  readonly declaredIn: string;
}

const OUR_FORM: FormFields = { known: ['mime_type', 'phone_number_id'], declaredIn: 'mime_type' };

/** Parts without a type of their own get this one from many clients: it declares nothing. */
const NOTHING_DECLARED = 'application/octet-stream';

/**
 * Does the work of an upload once per Idempotency-Key, with the file of its form and for the number that the form names.
 * The bytes are thrown away afterwards, unless the work has kept them.
 * @throws ApiProblem as `receiveFile` and `once.run` do, unknown_phone_number
 */
export async function uploadOnce(
  { db, blobs }: Pick<HttpDeps, 'db' | 'blobs'>,
  request: FastifyRequest,
  once: Once,
  work: (file: ReceivedFile, tenantId: TenantId) => Promise<JsonObject>,
  form = OUR_FORM,
): Promise<JsonObject> {
  const { tenantId } = principalOf(request);
  const file = await receiveFile(request, blobs, form);
  try {
    return await once.run(async () => {
      await checkSendingNumber(db, tenantId, file.fields.get('phone_number_id'));
      return work(file, tenantId);
    }, contentOf(file));
  } finally {
    await file.blob.discard();
  }
}

/** A file that has arrived, as what is to become media. */
export function arrivedMedia(
  { blob, mimeType, animated, filename }: Omit<ReceivedFile, 'fields'>,
  of: Pick<ArrivedMedia, 'tenantId' | 'origin'>,
): ArrivedMedia {
  const { sha256, size } = blob;
  return { ...of, sha256, size, mimeType, animated, filename, keep: (key) => blob.keep(key) };
}

/**
 * Takes in the file part of a request as a stream. The caller ends it with `blob.discard`, whatever happens after.
 * @throws ApiProblem validation_failed, payload_too_large, invalid_request; nothing is left then
 */
async function receiveFile(
  request: FastifyRequest,
  blobs: BlobStore,
  { known, declaredIn }: FormFields,
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
      ...(await typeOf(blob, form.fields.get(declaredIn), { declaredIn, declaredType })),
    };
  } catch (error) {
    await blob.discard();
    throw error;
  }
}

async function typeOf(
  blob: StagedBlob,
  declared: string | undefined,
  { declaredIn, declaredType }: Pick<FormFields, 'declaredIn'> & { readonly declaredType: string },
): Promise<Pick<ReceivedFile, 'mimeType' | 'animated'>> {
  if (blob.size === 0) throw problemOf([{ path: 'body.file', message: 'file is empty.' }]);
  // Clients of the network also write a kind of message, which says nothing about the bytes.
  const isKind = declared !== undefined && !isMimeType(declared);
  if (isKind && !(declaredIn === 'type' && Object.hasOwn(mediaLimits, declared))) {
    const message = `${declaredIn} must be a media type, for example image/jpeg.`;
    throw problemOf([{ path: `body.${declaredIn}`, message }]);
  }
  const usable = isMimeType(declaredType) && declaredType !== NOTHING_DECLARED ? declaredType : null;
  const { head } = blob;
  const mimeType = chooseMimeType({
    sniffed: await sniffType(head),
    declared: (isKind ? undefined : declared) ?? usable,
    head,
  });
  return { mimeType, animated: isAnimatedWebp(head) };
}

/** What an idempotency key is bound to: the boundary of a form differs each time, its content does not. */
function contentOf({ blob, fields, filename }: ReceivedFile): string {
  return JSON.stringify([blob.sha256, filename, [...fields].sort()]);
}
