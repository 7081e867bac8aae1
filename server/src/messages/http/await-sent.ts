import type { FastifyRequest } from 'fastify';
import type { MessageId } from '#core/ids';
import type { RouteContext } from '#http/deps';
import { principalOf, requireStillAllowed } from '#http/plugins/auth';
import { waitPreference } from '#http/plugins/prefer';
import { inSlot } from '#http/slots/wait-slot';
import { awaitOutcome } from '#messages/actions/outcome-waiters';
import type { OutboundMessage } from '#messages/domain/message';

/** The message that was sent or failed during the wait, which lasted at most so long. */
export interface SentMessage {
  readonly message: OutboundMessage;
  readonly waitS: number;
}

/** "Prefer: wait=5 waits up to 5 s for sent or failed." @returns null when nobody asked for it, or the wait brings nothing */
export async function awaitSent(
  context: Pick<RouteContext, 'rt' | 'db' | 'watch' | 'waits' | 'gate'>,
  request: FastifyRequest,
  messageId: MessageId,
): Promise<SentMessage | null> {
  const waitS = waitPreference(request);
  if (waitS === null) return null;
  const { tenantId } = principalOf(request);
  const requireAllowed = () => requireStillAllowed(context.gate, request);
  const wait = () => awaitOutcome(context, { tenantId, messageId, waitMs: waitS * 1000, requireAllowed });
  // The message is stored: neither a look at it that fails nor a wait too many takes anything of that back.
  const message = await inSlot(context, request, wait).catch(() => null);
  return message && { message, waitS };
}
