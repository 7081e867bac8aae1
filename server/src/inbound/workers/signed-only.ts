import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Runtime } from '#runtime/runtime';

/** A door that takes signed requests of one sender. */
export interface SignedDoor {
  /** As the metric of refusals names it. */
  readonly name: 'callbacks' | 'payments';
  /** Whether there is such a door at all. */
  readonly isOpen: (request: FastifyRequest) => boolean;
  /** Answers a request to a door that does not exist. */
  readonly refuseClosed: (reply: FastifyReply) => unknown;
  /** Whether the header can be a signature of the sender: said without the body. */
  readonly mayBeSigned: (request: FastifyRequest) => boolean;
  readonly refuseUnsigned: (reply: FastifyReply) => unknown;
}

/** Refuses what cannot be from the sender before a byte of its body is read, and ends its connection. */
export function signedOnly(rt: Runtime, door: SignedDoor): onRequestHookHandler {
  return (request, reply, done) => {
    if (!door.isOpen(request)) {
      door.refuseClosed(reply.header('connection', 'close'));
    } else if (!door.mayBeSigned(request)) {
      rt.metrics.refused.inc({ door: door.name, reason: 'no_signature' });
      door.refuseUnsigned(reply.header('connection', 'close'));
    } else {
      done();
    }
  };
}
