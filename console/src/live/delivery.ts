/** How the events of an outbound message change what is shown of it. */
import type { MessageProgressData } from '@postrider/sdk';
import type { Delivery, DeliveryError, OutboundItem } from './model.ts';

/** The data of `message.queued`, `.sent`, `.delivered`, `.read` and `.failed`. */
export type ProgressData = Pick<MessageProgressData, 'id' | 'conversation_id' | 'client_ref'> &
  Partial<Pick<MessageProgressData, 'at'>> & { readonly error?: DeliveryError };

const STEPS = ['message.sent', 'message.delivered', 'message.read'] as const;
type Step = (typeof STEPS)[number];
type Progress = Step | 'message.failed';

const STATES: Record<Step, { readonly state: Delivery['state']; readonly time: keyof Delivery }> = {
  'message.sent': { state: 'sent', time: 'sent_at' },
  'message.delivered': { state: 'delivered', time: 'delivered_at' },
  'message.read': { state: 'read', time: 'read_at' },
};
/** The network may leave steps out and report them in any order: the furthest counts. */
const FURTHER: readonly Delivery['state'][] = ['pending', 'unknown', 'accepted', 'sent', 'delivered', 'read'];

/** Whether events of this type say how far a message is. A message that is queued again may be anywhere. */
export function isProgress(type: string): type is Progress {
  return type === 'message.failed' || (STEPS as readonly string[]).includes(type);
}

/** The message after this event. */
export function applyProgress(item: OutboundItem, type: Progress, { at, error }: ProgressData): OutboundItem {
  const { delivery } = item;
  if (type === 'message.failed') {
    const failed: Delivery = { ...delivery, state: 'failed', failed_at: at ?? null, error: error ?? null };
    return { ...item, status: 'failed', delivery: failed };
  }
  const { state, time } = STATES[type];
  const reached = { ...delivery, [time]: at ?? null };
  // A failure yields to what the network reports later, see docs/state-machines.md.
  const isFurther = delivery.state === 'failed' || FURTHER.indexOf(state) > FURTHER.indexOf(delivery.state);
  if (!isFurther) return { ...item, delivery: reached };
  return { ...item, status: 'sent', delivery: { ...reached, state, failed_at: null, error: null } };
}
