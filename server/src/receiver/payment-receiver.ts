import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiProblem } from '#core/errors';
import type { JsonObject } from '#core/json';
import type { Runtime } from '#runtime/runtime';
import { verifyPaymentEvent } from '#webhooks/verify';

interface PaymentReceiverParts {
  readonly rt: Runtime;
  /** Applies a verified event; rejects when it could not, so that it is posted again. */
  readonly apply: (event: JsonObject) => Promise<void>;
}

/** Events of the gateway are some kilobytes. */
const MAX_EVENT_BYTES = 512 * 1024;

/**
 * The door for the payment gateway's events: verify the signature over the raw bytes, apply, answer 200. Unlike the
 * network's callbacks they are few, so each is applied before the answer; one that could not be is posted again.
 */
export function registerPaymentReceiver(app: FastifyInstance, parts: PaymentReceiverParts): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_EVENT_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    scope.post('/webhooks/payments/stripe', { bodyLimit: MAX_EVENT_BYTES }, (request, reply) =>
      receive(parts, request, reply),
    );
    scope.get('/webhooks/payments/return', (_request, reply) =>
      reply
        .type('text/plain; charset=utf-8')
        .send('Thank you. The payment is being processed; you can close this page.'),
    );
  });
}

async function receive(
  { rt, apply }: PaymentReceiverParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const secret = rt.config.stripeWebhookSecret;
  if (secret === '') throw new ApiProblem('not_found');
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const header = request.headers['stripe-signature'];
  const signature = typeof header === 'string' ? header : '';
  const event = verifyPaymentEvent(secret, { body, header: signature, nowMs: rt.clock.now() });
  if (event === null) {
    rt.metrics.paymentEvents.inc({ outcome: 'bad_signature' });
    return reply
      .status(401)
      .send({ error: 'The signature does not match the body, or is too old.', code: 'unauthorized' });
  }
  await apply(event);
  rt.metrics.paymentEvents.inc({ outcome: 'applied' });
  return reply.type('text/plain; charset=utf-8').send('ok');
}
