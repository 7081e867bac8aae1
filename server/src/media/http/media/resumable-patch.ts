import Type from 'typebox';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { UploadIdParams } from '#media/http/schemas/media';
import { answerTus } from '#media/http/tus/answer-tus';

export const patchResumableUploadRoute = defineOperation({
  method: 'PATCH',
  path: '/v1/media/resumable/:id',
  operationId: 'patchResumableUpload',
  summary: 'Upload a chunk (tus)',
  description:
    'Appends bytes at Upload-Offset to an upload that was created with Tus-Resumable (tus 1.0; client libraries do this for you). Bytes that arrived before a connection broke are kept, unless the chunk has an Upload-Checksum.',
  tag: 'Media',
  scope: 'media:write',
  params: UploadIdParams,
  takesBytes: true,
  bytesExample: 'hello world',
  requestHeaders: [
    { name: 'Tus-Resumable', description: 'The protocol version.', example: '1.0.0', required: true },
    {
      name: 'Upload-Offset',
      description: 'Where the chunk begins: the number of bytes already received.',
      example: '0',
      required: true,
    },
    {
      name: 'Upload-Checksum',
      description: 'sha1, sha256 or md5, followed by the digest in base64.',
      example: 'sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=',
    },
  ],
  answer: {
    status: 204,
    description: 'The chunk was received; Upload-Offset shows the progress of the upload.',
    schema: Type.Unsafe<string>({ type: 'string', description: 'Empty.' }),
    contentType: 'text/plain',
    example: '',
    headers: ['Upload-Offset', 'Tus-Resumable'],
  },
  errors: [
    'invalid_request',
    'not_found',
    'conflict',
    'precondition_failed',
    'payload_too_large',
    'unsupported_media_type',
    'checksum_mismatch',
    'media_quota_exceeded',
    'media_store_unavailable',
  ],
  errorExamples: [
    {
      name: 'unknownDigest',
      code: 'invalid_request',
      body: {
        error: 'Upload-Checksum must be one of sha1, sha256, md5, a space, and the digest in base64.',
        code: 'invalid_request',
      },
    },
    {
      name: 'tooLong',
      code: 'payload_too_large',
      body: { error: "The upload was refused: upload's size exceeded.", code: 'payload_too_large' },
    },
    {
      name: 'wrongOffset',
      code: 'conflict',
      body: { error: 'The upload was refused: Upload-Offset conflict.', code: 'conflict' },
    },
  ],
  handle: (context) => (request, reply) => {
    const { tenantId } = principalOf(request);
    return answerTus(context, request, reply, { tenantId, uploadId: request.params.id.toLowerCase() });
  },
});
