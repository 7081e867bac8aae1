import type { SiblingQuestion, SiblingReplies } from '#runtime/siblings';

/** What the processes of one service and their supervisor send each other. */
export type FromMember =
  /** It works. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'ask'; readonly id: number; readonly question: SiblingQuestion }
  | { readonly kind: 'reply'; readonly id: number; readonly answer: unknown };

export type FromSupervisor =
  | { readonly kind: 'question'; readonly id: number; readonly question: SiblingQuestion }
  | { readonly kind: 'replies'; readonly id: number; readonly replies: SiblingReplies<unknown> };

/** In the environment of a member: its place among the processes, from 0 on. The first keeps what there can be only one of. */
export const PLACE_KEY = 'POSTRIDER_PROCESS';
/** In the environment of a member that was started in the place of one that died: what is printed at the start was printed. */
export const AGAIN_KEY = 'POSTRIDER_PROCESS_AGAIN';
