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
  execute(command: Command): Promise<Outcome>;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly cursor: string | null;
}

/** Where commands wait for a line, also when the page is closed. */
export interface Outbox {
  all(): Promise<readonly Command[]>;
  keep(command: Command): Promise<void>;
  forget(key: string): Promise<void>;
}
