export const actorKinds = ['agent', 'key', 'rule', 'system'] as const;

/** Who changes a conversation. */
export interface Actor {
  readonly kind: (typeof actorKinds)[number];
  /** Of the agent, the key or the rule; null: the system itself. */
  readonly id: string | null;
}
