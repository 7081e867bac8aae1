import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiProblem, requireFound } from '#core/errors';
import type { TenantId, UploadId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { HttpDeps } from '#http/deps';
import { defineOperation, type Operation, type RequestHeader } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { conflictExample, errorExample } from '#http/schemas/errors';
import { unknownNumberExample } from '#http/schemas/examples';
import { formatRfc3339 } from '#http/validation/rfc3339';
import { completeAtOnce, findLiveUpload } from '#media/actions/resumable-uploads';
import { storeMedia } from '#media/actions/store-media';
import { noHandleFor, type ResumableUpload, yieldsHandle } from '#media/domain/resumable-upload';
import { findUpload } from '#media/store/resumable-uploads';
import { PIECE_TYPE } from './multipart.ts';
import { arrivedMedia, type ReceivedFile, uploadOnce } from './receive-file.ts';
import {
  emptyAnswer,
  HandleAnswer,
  HandleUpload,
  handleExample,
  handleUploadExample,
  UploadForm,
  UploadIdParams,
  uploadFormExample,
} from './schemas/media.ts';
import { answerTus, speaksTus, tusCapabilities } from './tus/answer-tus.ts';
import { bytesHere, completeIfWhole } from './tus/complete-upload.ts';

/** How long the door with the form waits for the network; callers and proxies give up at 30 s. */
const MAX_WAIT_MS = 25_000;
const ASK_AGAIN_MS = 100;

/** What every later request of a tus client carries. */
const tusVersion: RequestHeader = {
  name: 'Tus-Resumable',
  description: 'The protocol version.',
  example: '1.0.0',
  required: true,
};

const createResumableUploadRoute = defineOperation({
  method: 'POST',
  path: '/v1/media/resumable',
  operationId: 'createResumableUpload',
  summary: 'Upload a file to get a network handle',
  description:
    'Uploads a file in one of two ways. A form with the part file (PDF, JPEG, PNG or MP4, at most 16 MiB) returns the handle. A request with Tus-Resumable: 1.0.0 creates an upload of at most 100 MiB (tus 1.0: Upload-Length, Upload-Metadata with filename and filetype) and returns 201 with its Location.',
  tag: 'Media',
  scope: 'media:write',
  form: UploadForm,
  formExample: uploadFormExample,
  takesBytes: true,
  bytesExample: 'hello world',
  takesIdempotencyKey: 'within',
  requestHeaders: [
    { name: 'Tus-Resumable', description: 'The protocol version: this is tus, not a form.', example: '1.0.0' },
    { name: 'Upload-Length', description: 'Total number of bytes (tus).', example: '11' },
    {
      name: 'Upload-Metadata',
      description: 'filename and filetype, each with its value in base64 (tus).',
      example: 'filename ZmlsbS5tcDQ=,filetype dmlkZW8vbXA0',
    },
  ],
  optionsHeaders: tusCapabilities,
  answer: {
    status: 200,
    description: 'The network has received the file and issued a handle.',
    schema: HandleAnswer,
    example: handleExample,
  },
  otherAnswers: [
    emptyAnswer(201, 'tus: the upload was created; send its chunks to Location.', [
      'Location',
      'Upload-Offset',
      'Tus-Resumable',
    ]),
  ],
  errors: [
    'unknown_phone_number',
    'handle_refused',
    'media_quota_exceeded',
    'precondition_failed',
    'checksum_mismatch',
    'handle_unavailable',
    'media_store_unavailable',
  ],
  errorExamples: [
    unknownNumberExample,
    errorExample('handleRefused', 'handle_refused', noHandleFor('text/plain'), 'body.file'),
    errorExample('handleUnavailable', 'handle_unavailable', lateSentence('0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f02')),
  ],
  handle: (context) => async (request, reply, once) => {
    if (!speaksTus(request)) {
      return uploadOnce(context, request, once, (file, tenantId) => obtainHandle(context, tenantId, file));
    }
    refuseForm(request);
    return answerTus(context, request, reply, { tenantId: principalOf(request).tenantId, uploadId: null });
  },
});

const getResumableUploadRoute = defineOperation({
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
      const found = requireFound(await find());
      await completeIfWhole(context, found);
      if (request.method === 'HEAD' && speaksTus(request)) {
        return answerTus(context, request, reply, { tenantId, uploadId });
      }
      const upload = (await find()) ?? found;
      return presentUpload(upload, await bytesHere(context, upload));
    };
  },
});

/** What a tus client asks for an upload, answered by the tus server. */
const tusOperation = {
  path: '/v1/media/resumable/:id',
  tag: 'Media',
  scope: 'media:write',
  params: UploadIdParams,
  handle: (context: HttpDeps) => (request: FastifyRequest<{ Params: { id: string } }>, reply: FastifyReply) => {
    const { tenantId } = principalOf(request);
    return answerTus(context, request as FastifyRequest, reply, {
      tenantId,
      uploadId: request.params.id.toLowerCase(),
    });
  },
} as const;

const patchResumableUploadRoute = defineOperation({
  ...tusOperation,
  method: 'PATCH',
  operationId: 'patchResumableUpload',
  summary: 'Upload a chunk (tus)',
  description:
    'Appends bytes at Upload-Offset to an upload that was created with Tus-Resumable (tus 1.0; client libraries do this for you). Bytes that arrived before a connection broke are kept, unless the chunk has an Upload-Checksum.',
  takesBytes: true,
  bytesExample: 'hello world',
  requestHeaders: [
    tusVersion,
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
  answer: emptyAnswer(204, 'The chunk was received; Upload-Offset shows the progress of the upload.', [
    'Upload-Offset',
    'Tus-Resumable',
  ]),
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
    errorExample(
      'unknownDigest',
      'invalid_request',
      'Upload-Checksum must be one of sha1, sha256, md5, a space, and the digest in base64.',
    ),
    errorExample('tooLong', 'payload_too_large', "The upload was refused: upload's size exceeded."),
    conflictExample('wrongOffset', 'The upload was refused: Upload-Offset conflict.'),
  ],
});

const deleteResumableUploadRoute = defineOperation({
  ...tusOperation,
  method: 'DELETE',
  operationId: 'deleteResumableUpload',
  summary: 'Abort an upload (tus)',
  description:
    'Ends an upload before it is complete (tus 1.0, termination) and deletes the upload and its bytes. Media created from a completed upload is kept.',
  requestHeaders: [tusVersion],
  answer: emptyAnswer(204, 'The upload was deleted.', ['Tus-Resumable']),
  errors: ['not_found', 'precondition_failed'],
});

/** In the order of the documentation. */
export const resumableUploadOperations: readonly Operation[] = [
  createResumableUploadRoute,
  getResumableUploadRoute,
  patchResumableUploadRoute,
  deleteResumableUploadRoute,
];

/** @param offset bytes that are here */
function presentUpload(upload: ResumableUpload, offset: number): JsonObject {
  const { uploadId, status, size, handle, mediaId, error, createdMs } = upload;
  return {
    upload_id: uploadId,
    status,
    offset,
    size,
    handle,
    media_id: mediaId,
    error: error && { code: error.code, message: error.message },
    created_at: formatRfc3339(createdMs),
  };
}

/** A form at the door for tus would be dropped without a word. @throws ApiProblem unsupported_media_type */
function refuseForm({ headers }: Pick<FastifyRequest, 'headers'>): void {
  if (!headers['content-type']?.startsWith('multipart/')) return;
  const sentence = `With Tus-Resumable, send bytes as ${PIECE_TYPE}; without it, send a form.`;
  throw new ApiProblem('unsupported_media_type', { sentence });
}

async function obtainHandle(context: HttpDeps, tenantId: TenantId, file: ReceivedFile): Promise<JsonObject> {
  const { rt, db } = context;
  const { mimeType, filename } = file;
  if (!yieldsHandle(mimeType)) {
    const sentence = noHandleFor(mimeType);
    throw new ApiProblem('handle_refused', { sentence, details: [{ path: 'body.file', message: sentence }] });
  }
  const { size } = file.blob;
  const { uploadId, tie } = completeAtOnce(rt, { tenantId, size, filename, mimeType, metadata: null });
  const { mediaId } = await storeMedia(rt, db, arrivedMedia(file, { tenantId, origin: 'resumable' }), tie);
  return { handle: await waitForHandle(context, tenantId, uploadId), media_id: mediaId };
}

/** Asks the database, because the process that talks to the network may be another one. */
async function waitForHandle({ rt, db }: HttpDeps, tenantId: TenantId, uploadId: UploadId): Promise<string> {
  const endMs = rt.clock.monotonic() + MAX_WAIT_MS;
  while (rt.clock.monotonic() < endMs) {
    const upload = await findUpload(db, tenantId, uploadId);
    if (upload?.handle) return upload.handle;
    if (upload?.status === 'failed') {
      const why = upload.error?.message ?? 'it did not say why.';
      throw new ApiProblem('handle_refused', { sentence: `The network did not issue a handle: ${why}` });
    }
    await new Promise<void>((resolve) => rt.clock.after(ASK_AGAIN_MS, resolve));
  }
  throw new ApiProblem('handle_unavailable', { sentence: lateSentence(uploadId) });
}

function lateSentence(uploadId: string): string {
  return `The network did not issue a handle in time. It continues: see /v1/media/resumable/${uploadId}.`;
}
