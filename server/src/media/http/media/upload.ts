import { checkSendingNumber } from '#accounts/actions/sending-number';
import type { TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { HttpDeps } from '#http/deps';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { unknownNumberExample } from '#http/schemas/examples';
import { storeMedia } from '#media/actions/store-media';
import { presentUploaded } from '#media/http/present/media';
import { UploadedMedia, UploadForm, uploadedExample, uploadFormExample } from '#media/http/schemas/media';
import { contentOf, type ReceivedFile, receiveFile } from './receive-file.ts';

export const uploadMediaRoute = defineOperation({
  method: 'POST',
  path: '/v1/media',
  operationId: 'uploadMedia',
  summary: 'Upload media',
  description:
    'Stores a file of any type, at most 16 MiB, that can be sent from any number by its media_id. Identical bytes are stored once, but each upload gets its own media_id.',
  tag: 'Media',
  scope: 'media:write',
  form: UploadForm,
  formExample: uploadFormExample,
  takesIdempotencyKey: 'within',
  answer: {
    status: 200,
    description: 'The media is stored.',
    schema: UploadedMedia,
    example: uploadedExample,
    headers: ['Idempotent-Replayed'],
  },
  errors: ['unknown_phone_number', 'media_quota_exceeded', 'media_store_unavailable'],
  errorExamples: [
    {
      name: 'noFile',
      code: 'validation_failed',
      body: {
        error: 'file is required: the part with the bytes, with a filename.',
        code: 'validation_failed',
        details: [{ path: 'body.file', message: 'file is required: the part with the bytes, with a filename.' }],
      },
    },
    unknownNumberExample,
  ],
  handle: (context) => {
    return async (request, _reply, once) => {
      const { tenantId } = principalOf(request);
      const file = await receiveFile(request, context.blobs, ['mime_type', 'phone_number_id']);
      try {
        return await once.run(() => store(context, tenantId, file), contentOf(file));
      } finally {
        await file.blob.discard();
      }
    };
  },
});

async function store({ rt, db }: HttpDeps, tenantId: TenantId, file: ReceivedFile): Promise<JsonObject> {
  const { blob, mimeType, animated, filename } = file;
  await checkSendingNumber(db, tenantId, file.fields.get('phone_number_id'));
  const { sha256, size } = blob;
  const keep = (key: string): Promise<void> => blob.keep(key);
  const media = await storeMedia(rt, db, {
    tenantId,
    sha256,
    size,
    mimeType,
    animated,
    filename,
    origin: 'upload',
    keep,
  });
  return presentUploaded(media);
}
