import type { ClaimedMessage } from '#messages/store/send-queue';
import type { SendOutcome } from '#network/classify';
import type { Tracing } from '#runtime/tracing';

/**
 * Sends within the trace of a message, as two steps: its wait in the queue, which follows its acceptance, and the call.
 * @param send is handed the "traceparent" for the network
 */
export async function tracedSend(
  tracing: Tracing,
  message: ClaimedMessage,
  send: (traceParent: string) => Promise<SendOutcome>,
): Promise<SendOutcome> {
  const { traceParent: parent = null, messageId, attempt, dueMs } = message;
  const facts = { 'postrider.message_id': messageId, 'postrider.attempt': attempt };
  const queue = tracing.start('queue', { kind: 'consumer', parent, startMs: dueMs, follows: parent, facts });
  queue.end();
  const step = tracing.start('send', { kind: 'client', parent: queue.traceParent, facts });
  const outcome = await send(step.traceParent);
  const { kind } = outcome;
  const code =
    kind === 'refused' && outcome.networkCode !== null ? { 'postrider.network_code': outcome.networkCode } : {};
  step.end({ 'postrider.outcome': kind, ...code }, kind === 'accepted' ? undefined : kind);
  return outcome;
}
