/** What `send_queue.state` holds. In SQL its values come from here too. */
export const queueState = {
  /** Waits for its turn. */
  ready: 0,
  /** Is being sent: it may have reached the network. */
  claimed: 1,
  /** Was sent, but whether it arrived is not known. */
  unknown: 2,
} as const;

export type QueueState = (typeof queueState)[keyof typeof queueState];
