/** What the tabs of one browser say to each other about the stream that they share. */
import type { StreamFrame } from './source.ts';

/** Each leader has a term of its own, and numbers what it passes on: a follower knows when it has missed something. */
export type TabMessage =
  | { readonly kind: 'leader'; readonly term: number }
  | { readonly kind: 'frame'; readonly term: number; readonly number: number; readonly frame: StreamFrame }
  | { readonly kind: 'ended'; readonly term: number; readonly reason: EndReason }
  /** A tab wants to follow, from where it is; null: from now on. */
  | { readonly kind: 'join'; readonly tab: string; readonly term: number; readonly after: string | null }
  | {
      readonly kind: 'welcome';
      readonly tab: string;
      readonly term: number;
      /** The number of the last frame that these count for. */
      readonly number: number;
      /** What the tab has missed; null: nobody knows any more. */
      readonly frames: readonly StreamFrame[] | null;
    }
  | { readonly kind: 'ping'; readonly term: number }
  | { readonly kind: 'pong'; readonly term: number };

/** Why a stream cannot go on. */
export type EndReason = 'expired' | 'signed_out';
