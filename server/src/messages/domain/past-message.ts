import { createHash } from 'node:crypto';
import { idMadeAt, type MessageId, type TenantId } from '#core/ids';

/** How far a message of the business had come when the API took over. */
export type PastStage = 'sent' | 'delivered' | 'read' | 'failed';

/** Of one second, what the customer wrote stands first: the app greets and answers automatically within it. */
const ANSWER_DELAY_MS = 500;

/**
 * The id of a message from before the API: as if it had been made when the message was written, so that threads and lists are in order;
 * the same whenever the network hands the message over. 74 bits tell messages of one millisecond apart.
 */
export function pastMessageId(
  { tenantId, networkMessageId }: { readonly tenantId: TenantId; readonly networkMessageId: string },
  { at, isSent }: { readonly at: number; readonly isSent: boolean },
): MessageId {
  const random = createHash('sha256').update(`${tenantId}/${networkMessageId}`).digest();
  return idMadeAt(isSent ? at + ANSWER_DELAY_MS : at, random);
}
