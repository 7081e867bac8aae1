import { Readable } from 'node:stream';
import { Server } from '@tus/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PieceDigest } from '#blobs/partial-store';
import { type ApiErrorCode, ApiProblem } from '#core/errors';
import type { TenantId, UploadId } from '#core/ids';
import type { HttpDeps } from '#http/deps';
import { findLiveUpload } from '#media/actions/resumable-uploads';
import { MAX_NETWORK_BYTES } from '#media/domain/media';
import { completeIfWhole } from './complete-upload.ts';
import { TUS_EXTENSIONS, UploadStore } from './upload-store.ts';

const TUS_VERSION = '1.0.0';
const BASE_PATH = '/v1/media/resumable';
const CHECKSUM_ALGORITHMS = ['sha1', 'sha256', 'md5'] as const;

/** What a tus client can ask for with OPTIONS. */
export const tusCapabilities: Readonly<Record<string, string>> = {
  'tus-resumable': TUS_VERSION,
  'tus-version': TUS_VERSION,
  'tus-extension': TUS_EXTENSIONS.join(','),
  'tus-max-size': String(MAX_NETWORK_BYTES),
  'tus-checksum-algorithm': CHECKSUM_ALGORITHMS.join(','),
};

/** Whether the request speaks tus. */
export function speaksTus(request: Pick<FastifyRequest, 'headers'>): boolean {
  return request.headers['tus-resumable'] !== undefined;
}

/**
 * Lets the tus server answer a request, with our headers and, for failures, our body.
 * @param uploadId null when it creates one
 * @throws ApiProblem for what tus refuses
 */
export async function answerTus(
  context: HttpDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  call: { readonly tenantId: TenantId; readonly uploadId: string | null },
): Promise<FastifyReply> {
  // "If the version specified by the Client is not supported by the Server, it MUST respond with the 412 Precondition
  // Failed status and MUST include the Tus-Version header."
  if (request.headers['tus-resumable'] !== TUS_VERSION)
    throw new ApiProblem('precondition_failed', { headers: versions });
  const fault: { error?: Error } = {};
  const server = tusServer(context, request, { ...call, noteFault: (error) => (fault.error = error) });
  const answer = await server.handleWeb(toWebRequest(request));
  if (fault.error) throw fault.error;
  const text = await answer.text();
  if (answer.status >= 400) throw problemOf(answer.status, text);
  return reply
    .code(answer.status)
    .headers(headersOf(answer))
    .send(text === '' ? undefined : text);
}

interface TusCall {
  readonly tenantId: TenantId;
  readonly uploadId: string | null;
  readonly noteFault: (error: Error) => void;
}

/** One per request, bound to its tenant; only the locks are shared. */
function tusServer(context: HttpDeps, request: FastifyRequest, { tenantId, uploadId, noteFault }: TusCall): Server {
  const { rt, db, uploadLocks } = context;
  const digest = readDigest(request.headers['upload-checksum']);
  return new Server({
    path: BASE_PATH,
    datastore: new UploadStore({ context, tenantId, digest }),
    locker: uploadLocks,
    maxSize: MAX_NETWORK_BYTES,
    namingFunction: () => rt.newId<UploadId>(),
    generateUrl: (_request, { id }) => `${BASE_PATH}/${id}`,
    getFileIdFromRequest: () => uploadId ?? undefined,
    onUploadCreate: async (_request, { size, metadata }) => {
      if (!size) throw { status_code: 400, body: 'Upload-Length must be 1 or more.' };
      return metadata ? { metadata } : {};
    },
    onUploadFinish: async (_request, { id }) => {
      const upload = await findLiveUpload(rt, db, tenantId, id);
      if (upload) await completeIfWhole(context, upload);
      return {};
    },
    onResponseError: (_request, error) => {
      if (error instanceof Error) noteFault(error);
      return undefined;
    },
  });
}

/** @throws ApiProblem invalid_request: "The Server MUST respond with 400 Bad Request" for an algorithm it lacks */
function readDigest(header: string | string[] | undefined): PieceDigest | null {
  if (header === undefined) return null;
  const [name = '', base64 = ''] = String(header).split(' ');
  const algorithm = CHECKSUM_ALGORITHMS.find((known) => known === name);
  if (algorithm && base64 !== '') return { algorithm, base64 };
  const sentence = `Upload-Checksum must be one of ${CHECKSUM_ALGORITHMS.join(', ')}, a space, and the digest in base64.`;
  throw new ApiProblem('invalid_request', { sentence });
}

function toWebRequest(request: FastifyRequest): Request {
  const { method, url, body } = request;
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  const stream = body instanceof Readable ? { body: Readable.toWeb(body), duplex: 'half' } : {};
  return new Request(`http://localhost${url}`, { method, headers, ...stream } as RequestInit);
}

const versions = { 'tus-resumable': TUS_VERSION, 'tus-version': TUS_VERSION };
const KEPT_HEADERS = /^(tus-|upload-|location$)/;

/** CORS and the length are this server's own business. */
function headersOf(answer: Response): Record<string, string> {
  return Object.fromEntries([...answer.headers].filter(([name]) => KEPT_HEADERS.test(name)));
}

const codeByStatus: Readonly<Record<number, ApiErrorCode>> = {
  403: 'unsupported_media_type',
  404: 'not_found',
  409: 'conflict',
  410: 'not_found',
  412: 'precondition_failed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  460: 'checksum_mismatch',
};

function problemOf(status: number, text: string): ApiProblem {
  const code = codeByStatus[status] ?? (status >= 500 ? 'internal_error' : 'invalid_request');
  // What does not exist looks the same everywhere; our own faults say nothing.
  if (code === 'not_found' || code === 'internal_error')
    return new ApiProblem(code, { headers: versions, cause: new Error(text) });
  // Our own sentences say what to do; the others name the header that is wrong.
  if (code === 'precondition_failed' || code === 'checksum_mismatch')
    return new ApiProblem(code, { headers: versions });
  const said = text.trim().replace(/[.\s]*$/, '.');
  return new ApiProblem(code, { sentence: `The upload was refused: ${said}`, headers: versions });
}
