import type { Actor } from './actor.ts';

/** Who has messages sent through the service. */
export const authorKinds = ['agent', 'rule', 'campaign', 'key'] as const;

/**
 * Who a message can be from: also somebody who wrote it with the app on the phone of the business. In the order of the numbers that a
 * message keeps, which count from 1: a new kind goes to the end.
 */
export const writerKinds = ['agent', 'rule', 'campaign', 'key', 'phone'] as const;

/** Who had a message sent. */
export interface MessageAuthor {
  readonly kind: (typeof authorKinds)[number];
  /** Of the agent, the rule, the campaign or the key. */
  readonly id: string;
}

/** An author as people read it. */
export interface NamedAuthor {
  readonly kind: (typeof writerKinds)[number];
  /** Null: nobody knows who holds the phone. */
  readonly id: string | null;
  /** What it is called now; null: it was deleted, or is a phone. */
  readonly name: string | null;
}

/** The number that stands for a kind of author. */
export function authorKindNumber(kind: NamedAuthor['kind']): number {
  return writerKinds.indexOf(kind) + 1;
}

/** An actor as the author of a message; null: the service itself writes none. */
export function authorOf({ kind, id }: Actor): MessageAuthor | null {
  return kind === 'system' || id === null ? null : { kind, id };
}
