import type { FastifyInstance, FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify';
import { ApiProblem } from '#core/errors';
import type { JsonObject } from '#core/json';
import { mayBePaymentSignature, verifyPaymentEvent } from '#network/verify';
import type { Runtime } from '#runtime/runtime';
import { signedOnly } from './signed-only.ts';

interface PaymentReceiverDeps {
  readonly rt: Runtime;
  /** Applies a verified event; rejects when it could not, so that it is posted again. */
  readonly apply: (event: JsonObject) => Promise<void>;
  /** Limits what bodies take of memory and time. */
  readonly guard: preParsingHookHandler;
}

/** Events of the gateway are some kilobytes. */
const MAX_EVENT_BYTES = 512 * 1024;

/**
 * The door for the payment gateway's events: verify the signature over the raw bytes, apply, answer 200. Unlike the
 * network's callbacks they are few, so each is applied before the answer; one that could not be is posted again.
 */
export function registerPaymentReceiver(app: FastifyInstance, parts: PaymentReceiverDeps): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_EVENT_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    scope.addHook('preParsing', parts.guard);
    const { rt } = parts;
    const onRequest = signedOnly(rt, {
      name: 'payments',
      isOpen: () => rt.config.stripeWebhookSecret !== '',
      refuseClosed: (reply) => reply.send(new ApiProblem('not_found', { headers: { connection: 'close' } })),
      mayBeSigned: (request) => mayBePaymentSignature(signatureOf(request)),
      refuseUnsigned: (reply) => refuseSignature(rt, reply),
    });
    scope.post('/webhooks/payments/stripe', { bodyLimit: MAX_EVENT_BYTES, onRequest }, (request, reply) =>
      receive(parts, request, reply),
    );
    scope.get('/webhooks/payments/return', (_request, reply) =>
      reply
        .type('text/plain; charset=utf-8')
        .send('Thank you. The payment is being processed; you can close this page.'),
    );
  });
}

function signatureOf({ headers }: FastifyRequest): string {
  const header = headers['stripe-signature'];
  return typeof header === 'string' ? header : '';
}

function refuseSignature(rt: Runtime, reply: FastifyReply): FastifyReply {
  rt.metrics.paymentEvents.inc({ outcome: 'bad_signature' });
  return reply
    .status(401)
    .send({ error: 'The signature does not match the body, or is too old.', code: 'unauthorized' });
}

async function receive(
  { rt, apply }: PaymentReceiverDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const signed = { body, header: signatureOf(request), nowMs: rt.clock.now() };
  const event = verifyPaymentEvent(rt.config.stripeWebhookSecret, signed);
  if (event === null) return refuseSignature(rt, reply);
  await apply(event);
  rt.metrics.paymentEvents.inc({ outcome: 'applied' });
  return reply.type('text/plain; charset=utf-8').send('ok');
}
