import type { FastifyInstance, FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify';
import { readAppSecrets } from '#core/app-secrets';
import type { CallbackRecorder } from '#inbound/actions/record-callback';
import { equalSecrets, mayBeNetworkSignature, verifyNetworkSignature } from '#network/verify';
import type { Runtime } from '#runtime/runtime';
import { signedOnly } from './signed-only.ts';

/** The network promises at most 3 MB per callback. */
const MAX_CALLBACK_BYTES = 3 * 1024 * 1024;
/** The word that matches every platform name. */
const ALIAS = 'platform';

type ReceivingRecorder = Pick<CallbackRecorder, 'record' | 'refused'>;

interface ReceiverDeps {
  readonly rt: Runtime;
  readonly recorder: ReceivingRecorder;
  /** Limits what bodies take of memory and time. */
  readonly guard: preParsingHookHandler;
}

/**
 * The endpoint for the network's callbacks: verify the signature over the raw bytes, make them durable, answer 200. The
 * ingester interprets them later, repeatably. Registered in a scope without API key and JSON parser.
 */
export function registerReceiver(app: FastifyInstance, { rt, recorder, guard }: ReceiverDeps): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_CALLBACK_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    scope.get('/webhooks/:platform', (request, reply) => answerChallenge(rt, request, reply));
    scope.addHook('preParsing', guard);
    const onRequest = signedOnly(rt, {
      name: 'callbacks',
      isOpen: (request) => isOurPlatform(rt, request),
      refuseClosed,
      mayBeSigned: (request) => mayBeNetworkSignature(signatureOf(request)),
      refuseUnsigned: (reply) => refuseSignature(rt, reply),
    });
    scope.post('/webhooks/:platform', { bodyLimit: MAX_CALLBACK_BYTES, onRequest }, (request, reply) =>
      receive(rt, recorder, request, reply),
    );
  });
}

function isOurPlatform(rt: Runtime, request: FastifyRequest): boolean {
  const { platform } = request.params as { platform: string };
  return platform === rt.config.platform || platform === ALIAS;
}

/** Verification of the callback address: 200 with the raw challenge as plain text. */
async function answerChallenge(rt: Runtime, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (!isOurPlatform(rt, request)) return refuseClosed(reply);
  const query = request.query as Record<string, unknown>;
  const challenge = query['hub.challenge'];
  const token = query['hub.verify_token'];
  const valid =
    query['hub.mode'] === 'subscribe' &&
    typeof token === 'string' &&
    equalSecrets(token, rt.config.verifyToken) &&
    typeof challenge === 'string' &&
    /^[\w.-]{1,256}$/.test(challenge);
  if (!valid) return refuse(reply, 403, 'The verify token or the challenge is not valid.', 'forbidden');
  return reply.type('text/plain; charset=utf-8').send(challenge);
}

function refuseClosed(reply: FastifyReply): FastifyReply {
  return refuse(reply, 404, 'There is no such platform.', 'not_found');
}

function signatureOf({ headers }: FastifyRequest): string {
  const signature = headers['x-hub-signature-256'];
  return typeof signature === 'string' ? signature : '';
}

function refuseSignature(rt: Runtime, reply: FastifyReply): FastifyReply {
  rt.metrics.callbacks.inc({ outcome: 'bad_signature' });
  return refuse(reply, 401, 'The signature does not match the body.', 'unauthorized');
}

async function receive(
  rt: Runtime,
  recorder: ReceivingRecorder,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const secrets = readAppSecrets(rt.config.appSecret);
  if (!verifyNetworkSignature(secrets, body, signatureOf(request))) {
    // What comes without any signature is not the network, and was refused before its body was read.
    recorder.refused();
    return refuseSignature(rt, reply);
  }
  try {
    await recorder.record(body);
  } catch {
    rt.metrics.callbacks.inc({ outcome: 'not_stored' });
    reply.header('retry-after', '1');
    return refuse(reply, 503, 'The callback could not be stored; send it again.', 'storage_unavailable');
  }
  rt.metrics.callbacks.inc({ outcome: 'stored' });
  return reply.type('text/plain; charset=utf-8').send('ok');
}

function refuse(reply: FastifyReply, status: number, error: string, code: string): FastifyReply {
  return reply.status(status).send({ error, code });
}
