import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { checkSendingNumber } from '#accounts/actions/sending-number';
import { ApiProblem } from '#core/errors';
import type { TenantId, UploadId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { HttpDeps } from '#http/deps';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { unknownNumberExample } from '#http/schemas/examples';
import { completeAtOnce } from '#media/actions/resumable-uploads';
import { storeMedia } from '#media/actions/store-media';
import { noHandleFor, yieldsHandle } from '#media/domain/resumable-upload';
import { PIECE_TYPE } from '#media/http/multipart';
import { HandleAnswer, handleExample, UploadForm, uploadFormExample } from '#media/http/schemas/media';
import { answerTus, speaksTus, tusCapabilities } from '#media/http/tus/answer-tus';
import { findUpload } from '#media/store/resumable-uploads';
import { contentOf, type ReceivedFile, receiveFile } from './receive-file.ts';

/** How long the door with the form waits for the network; callers and proxies give up at 30 s. */
const MAX_WAIT_MS = 25_000;
const ASK_AGAIN_MS = 100;

const REFUSED_TEXT = noHandleFor('text/plain');

export const createResumableUploadRoute = defineOperation({
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
    headers: ['Idempotent-Replayed'],
  },
  otherAnswers: [
    {
      status: 201,
      description: 'tus: the upload was created; send its chunks to Location.',
      schema: Type.Unsafe<string>({ type: 'string', description: 'Empty.' }),
      contentType: 'text/plain',
      example: '',
      headers: ['Location', 'Upload-Offset', 'Tus-Resumable'],
    },
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
    {
      name: 'handleRefused',
      code: 'handle_refused',
      body: {
        error: REFUSED_TEXT,
        code: 'handle_refused',
        details: [{ path: 'body.file', message: REFUSED_TEXT }],
      },
    },
    {
      name: 'handleUnavailable',
      code: 'handle_unavailable',
      body: { error: lateSentence('0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f02'), code: 'handle_unavailable' },
    },
  ],
  handle: (context) => {
    return async (request, reply, once) => {
      const { tenantId } = principalOf(request);
      if (speaksTus(request)) {
        refuseForm(request);
        return answerTus(context, request, reply, { tenantId, uploadId: null });
      }
      const file = await receiveFile(request, context.blobs, ['mime_type', 'phone_number_id']);
      try {
        return await once.run(() => obtainHandle(context, tenantId, file), contentOf(file));
      } finally {
        await file.blob.discard();
      }
    };
  },
});

/** A form at the door for tus would be dropped without a word. @throws ApiProblem unsupported_media_type */
function refuseForm({ headers }: Pick<FastifyRequest, 'headers'>): void {
  if (!headers['content-type']?.startsWith('multipart/')) return;
  const sentence = `With Tus-Resumable send bytes as ${PIECE_TYPE}; without it, a form.`;
  throw new ApiProblem('unsupported_media_type', { sentence });
}

async function obtainHandle(context: HttpDeps, tenantId: TenantId, file: ReceivedFile): Promise<JsonObject> {
  const { rt, db } = context;
  const { blob, mimeType, animated, filename } = file;
  await checkSendingNumber(db, tenantId, file.fields.get('phone_number_id'));
  if (!yieldsHandle(mimeType)) {
    const sentence = noHandleFor(mimeType);
    throw new ApiProblem('handle_refused', { sentence, details: [{ path: 'body.file', message: sentence }] });
  }
  const { sha256, size } = blob;
  const { uploadId, tie } = completeAtOnce(rt, { tenantId, size, filename, mimeType, metadata: null });
  const keep = (key: string): Promise<void> => blob.keep(key);
  const arrived = { tenantId, sha256, size, mimeType, animated, filename, origin: 'resumable', keep } as const;
  const { mediaId } = await storeMedia(rt, db, arrived, tie);
  return { handle: await waitForHandle(context, tenantId, uploadId), media_id: mediaId };
}

/** Asks the database, because the process that talks to the network may be another one. */
async function waitForHandle({ rt, db }: HttpDeps, tenantId: TenantId, uploadId: UploadId): Promise<string> {
  const endMs = rt.clock.monotonic() + MAX_WAIT_MS;
  while (rt.clock.monotonic() < endMs) {
    const upload = await findUpload(db, tenantId, uploadId);
    if (upload?.handle) return upload.handle;
    if (upload?.status === 'failed')
      throw new ApiProblem('handle_refused', { sentence: refusal(upload.error?.message) });
    await new Promise<void>((resolve) => rt.clock.after(ASK_AGAIN_MS, resolve));
  }
  throw new ApiProblem('handle_unavailable', { sentence: lateSentence(uploadId) });
}

function lateSentence(uploadId: string): string {
  return `The network did not give a handle in time; it goes on: ask for /v1/media/resumable/${uploadId}.`;
}

function refusal(why: string | undefined): string {
  return `The network gave no handle: ${why ?? 'it did not say why.'}`;
}
