import type { FastifyInstance } from 'fastify';
import type { Clock } from '#runtime/clock';

const LOOK_EVERY_MS = 50;
/** How long a connection on which nothing was asked may stay once the server closes: a request may be on its way. */
const GRACE_MS = 1_000;

/**
 * Lets a server close while clients keep their connections open. Node closes those that are idle at that moment, once:
 * one that becomes idle a little later, or on which nothing was ever asked, would hold the server for a minute. So
 * answers tell their client to hang up, connections are closed as they become idle, and after a grace so are all that no
 * request is being answered on.
 */
export function installClosing(app: FastifyInstance, clock: Clock): void {
  let closing = false;
  let answering = 0;

  app.addHook('onRequest', (_request, reply, done) => {
    answering += 1;
    reply.raw.once('close', () => {
      answering -= 1;
    });
    done();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close');
    done(null, payload);
  });
  app.addHook('preClose', (done) => {
    closing = true;
    const sinceMs = clock.monotonic();
    const look = (): void => {
      if (!app.server.listening && answering === 0 && clock.monotonic() - sinceMs >= GRACE_MS)
        app.server.closeAllConnections();
      else app.server.closeIdleConnections();
      cancel = clock.after(LOOK_EVERY_MS, look);
    };
    let cancel = clock.after(LOOK_EVERY_MS, look);
    app.server.once('close', () => cancel());
    if (!app.server.listening) cancel();
    done();
  });
}
