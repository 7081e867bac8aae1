import Type from 'typebox';
import { defineOperation } from '../../operation.ts';
import { principalOf } from '../../plugins/auth.ts';
import { idErrorExamples } from '../../schemas/examples.ts';
import { UploadIdParams } from '../../schemas/media.ts';
import { answerTus } from '../../tus/answer-tus.ts';

export const patchResumableUpload = defineOperation({
  method: 'PATCH',
  path: '/v1/media/resumable/:id',
  operationId: 'patchResumableUpload',
  summary: 'Send a piece of an upload (tus)',
  description:
    'tus 1.0: appends the bytes at Upload-Offset. What arrived before a broken connection is kept, unless the piece has an Upload-Checksum.',
  tag: 'Media',
  scope: 'media:write',
  params: UploadIdParams,
  takesBytes: true,
  requestHeaders: [
    { name: 'Tus-Resumable', description: 'Version of the protocol.', example: '1.0.0' },
    { name: 'Upload-Offset', description: 'Where the piece begins: bytes that are here.', example: '0' },
    {
      name: 'Upload-Checksum',
      description: 'sha1, sha256 or md5, and the digest in base64.',
      example: 'sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=',
    },
  ],
  answer: {
    status: 204,
    description: 'The piece is here; Upload-Offset says how far the upload is.',
    schema: Type.Unsafe<string>({ type: 'string', description: 'Nothing.' }),
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
  errorExamples: idErrorExamples,
  handle: (context) => (request, reply) => {
    const { tenantId } = principalOf(request);
    return answerTus(context, request, reply, { tenantId, uploadId: request.params.id.toLowerCase() });
  },
});
