/** What the live store needs of the service. The console's is the SDK; that of tests is a model. */
import type { Sort } from './activity.ts';
import type { Command, Outcome } from './commands.ts';
import type { Conversation, LiveEvent, ThreadItem } from './model.ts';
import type { ListFilter } from './view.ts';

/** A list of the API, and the same condition for what events change. */
export interface LiveList extends ListFilter {
  readonly sort: Sort;
  /** The query of `GET /v1/conversations`. */
  readonly query: Readonly<Record<string, string>>;
  /** Instead of the query: a condition to search by, and what is done with each page of what matches. */
  readonly search?: {
    readonly when: object;
    readonly onRead: (found: readonly Conversation[], isFirst: boolean) => void;
  };
}

/** A part of the stream: where it stands, and the event that it carries, if any; or that the line was cut. */
export interface StreamFrame {
  readonly position: string | null;
  readonly event: LiveEvent | null;
  readonly isCut: boolean;
}

/** The stream cannot be continued from where it was: everything has to be read again. */
export class StreamExpired extends Error {
  override name = 'StreamExpired';
}

/** The session has ended. */
export class SignedOut extends Error {
  override name = 'SignedOut';
}

export interface LiveSource {
  /** The feed from now on, or after a position. It ends when the line is cut. @throws StreamExpired, SignedOut */
  stream(after: string | null, signal: AbortSignal): AsyncIterable<StreamFrame>;
  list(list: LiveList, cursor: string | null): Promise<Page<Conversation>>;
  conversation(id: string): Promise<Conversation | null>;
  thread(conversationId: string, cursor: string | null): Promise<Page<ThreadItem>>;
  /** @param isLeaving the page goes away: the request must not end with it */
  execute(command: Command, isLeaving: boolean): Promise<Outcome>;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly cursor: string | null;
  /** Whether it was read when the stream had just begun: what an event has said since is newer. */
  readonly isFromStart?: boolean;
}

/** Where commands wait for a line, also when the page is closed. */
export interface Outbox {
  keep(command: Command): Promise<void>;
  forget(key: string): Promise<void>;
  /** Hands over what pages that are gone have left, now and later; each command to one page alone. @returns what ends it */
  onLeft(take: (commands: readonly Command[]) => void): () => void;
}
