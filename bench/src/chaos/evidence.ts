import type { NeighbourPost } from './neighbour.ts';

/** What happened according to the caller. */
export interface ClientMessage {
  readonly clientRef: string;
  readonly to: string;
  readonly phoneNumberId: string;
  /** Null: posted without an Idempotency-Key, and never repeated. */
  readonly key: string | null;
  /** Stream of sequential posts to one recipient, and the place in it; null: sent at random. */
  readonly stream: string | null;
  /** When it was to be sent, milliseconds since 1970; null: immediately. */
  readonly sendAtMs: number | null;
  /** Every answer, in order; status 0: none came. */
  readonly answers: readonly { readonly status: number; readonly id: string | null }[];
}

/** A customer's message that the network was asked to hand over. */
export interface ClientInbound {
  readonly networkId: string;
}

/** One send that the network accepted: its own record, written before it answered. */
export interface LedgerEntry {
  readonly networkId: string;
  readonly to: string;
  readonly phoneNumberId: string;
  /** From the correlation token; null when there is none of ours. */
  readonly messageId: string | null;
  readonly acceptedAtMs: number;
}

/** A message as the database has it. */
export interface MessageRow {
  readonly messageId: string;
  readonly clientRef: string | null;
  readonly status: 'queued' | 'sent' | 'failed';
  readonly attempts: number;
  /** Why it failed; null: it did not. */
  readonly errorCode: string | null;
  readonly possibleDuplicate: boolean;
  /** When it was decided to send it again although it may have been sent, the earliest first. */
  readonly resendsDecidedMs: readonly number[];
  /** True when anything besides the ordinary way happened: a wait, a retry, an unknown outcome. */
  readonly hasHistory: boolean;
  readonly sentKnown: boolean;
  readonly deliveredKnown: boolean;
  readonly readKnown: boolean;
}

/** A status that reached us, from the stored raw callbacks. */
export interface ReportedStatus {
  readonly networkId: string;
  readonly status: string;
  readonly receivedMs: number;
}

export interface DatabaseEvidence {
  readonly messages: readonly MessageRow[];
  /** The network's ids that the database can place. */
  readonly knownNetworkIds: ReadonlySet<string>;
  readonly reported: readonly ReportedStatus[];
  /** Network ids of stored inbound messages, one per row. */
  readonly inbound: readonly string[];
  /** Open conversations per contact and number, where there is more than one. */
  readonly doubleConversations: readonly {
    readonly contactId: string;
    readonly phoneNumberId: string;
    readonly count: number;
  }[];
  /** Rows that should be gone at rest: sends owed, callbacks not interpreted. */
  readonly remaining: {
    readonly sendQueue: number;
    readonly callbackQueue: number;
    /** The queue row of one send, as JSON; null when none waits. */
    readonly example: string | null;
  };
}

/** A time in which nothing may leave by these numbers. */
export interface Silence extends TimeSpan {
  readonly phoneNumberIds: readonly string[];
}

/** From its start (inclusive) to its end (exclusive), milliseconds since 1970. */
export interface TimeSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

/** All that an audit reads. */
export interface Evidence {
  readonly client: readonly ClientMessage[];
  readonly inbound: readonly ClientInbound[];
  /** What the tenant beside it posted. */
  readonly neighbour: readonly NeighbourPost[];
  readonly silences: readonly Silence[];
  /** When the service knew that the network was unreachable. */
  readonly deafTimes: readonly TimeSpan[];
  readonly ledger: readonly LedgerEntry[];
  readonly database: DatabaseEvidence;
  /** How long the server must wait before it repeats a send of unknown outcome. */
  readonly unknownWaitMs: number;
  /** How many further copies of a message of unknown outcome its tenant allows. */
  readonly unknownResends: number;
  /** Times in which the network lost no status. */
  readonly completeTimes: readonly TimeSpan[];
}

export type ViolationKind =
  | 'lost'
  | 'duplicate'
  | 'unrecorded'
  | 'idempotency'
  | 'order'
  | 'delivery_state'
  | 'inbound'
  | 'conversation'
  | 'slowed'
  | 'suspended'
  | 'early'
  | 'not_at_rest'
  | 'not_recovered'
  | 'crash';

export interface Violation {
  readonly kind: ViolationKind;
  /** One sentence with the ids that prove it. */
  readonly what: string;
}
