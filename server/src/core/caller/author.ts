import type { Actor } from './actor.ts';

/** In the order of the numbers that a message keeps, which count from 1. */
export const authorKinds = ['agent', 'rule', 'campaign', 'key'] as const;

/** Who had a message sent. */
export interface MessageAuthor {
  readonly kind: (typeof authorKinds)[number];
  /** Of the agent, the rule, the campaign or the key. */
  readonly id: string;
}

/** An author as people read it. */
export interface NamedAuthor extends MessageAuthor {
  /** What it is called now; null: it was deleted. */
  readonly name: string | null;
}

/** The number that stands for a kind of author. */
export function authorKindNumber(kind: MessageAuthor['kind']): number {
  return authorKinds.indexOf(kind) + 1;
}

/** An actor as the author of a message; null: the service itself writes none. */
export function authorOf({ kind, id }: Actor): MessageAuthor | null {
  return kind === 'system' || id === null ? null : { kind, id };
}
