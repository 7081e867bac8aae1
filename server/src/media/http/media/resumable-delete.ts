import Type from 'typebox';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { UploadIdParams } from '#media/http/schemas/media';
import { answerTus } from '#media/http/tus/answer-tus';

export const deleteResumableUploadRoute = defineOperation({
  method: 'DELETE',
  path: '/v1/media/resumable/:id',
  operationId: 'deleteResumableUpload',
  summary: 'Abort an upload (tus)',
  description:
    'Ends an upload before it is complete (tus 1.0, termination) and deletes the upload and its bytes. Media that the upload has already become stays.',
  tag: 'Media',
  scope: 'media:write',
  params: UploadIdParams,
  requestHeaders: [{ name: 'Tus-Resumable', description: 'The protocol version.', example: '1.0.0', required: true }],
  answer: {
    status: 204,
    description: 'The upload was deleted.',
    schema: Type.Unsafe<string>({ type: 'string', description: 'Empty.' }),
    contentType: 'text/plain',
    example: '',
    headers: ['Tus-Resumable'],
  },
  errors: ['not_found', 'precondition_failed'],
  handle: (context) => (request, reply) => {
    const { tenantId } = principalOf(request);
    return answerTus(context, request, reply, { tenantId, uploadId: request.params.id.toLowerCase() });
  },
});
