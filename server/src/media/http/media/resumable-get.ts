import { ApiProblem } from '#core/errors';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { findLiveUpload } from '#media/actions/resumable-uploads';
import { presentUpload } from '#media/http/present/media';
import { HandleUpload, handleUploadExample, UploadIdParams } from '#media/http/schemas/media';
import { answerTus, speaksTus } from '#media/http/tus/answer-tus';
import { bytesHere, completeIfWhole } from '#media/http/tus/complete-upload';

export const getResumableUploadRoute = defineOperation({
  method: 'GET',
  path: '/v1/media/resumable/:id',
  operationId: 'getResumableUpload',
  summary: 'Get a resumable upload',
  description:
    'Returns the progress of the upload, and its handle once the network has issued one. HEAD serves tus clients.',
  tag: 'Media',
  scope: 'media:write',
  params: UploadIdParams,
  answer: { status: 200, description: 'The upload.', schema: HandleUpload, example: handleUploadExample },
  errors: ['not_found', 'media_store_unavailable'],
  handle: (context) => {
    return async (request, reply) => {
      const { tenantId } = principalOf(request);
      const uploadId = request.params.id.toLowerCase();
      const find = () => findLiveUpload(context.rt, context.db, tenantId, uploadId);
      const found = await find();
      if (found === null) throw new ApiProblem('not_found');
      await completeIfWhole(context, found);
      if (request.method === 'HEAD' && speaksTus(request)) {
        return answerTus(context, request, reply, { tenantId, uploadId });
      }
      const upload = (await find()) ?? found;
      return presentUpload(upload, await bytesHere(context, upload));
    };
  },
});
