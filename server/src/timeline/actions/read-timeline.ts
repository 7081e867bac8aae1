import { type ConsentEntry, listConsents } from '#contacts/store/contact-consents';
import type { Note } from '#conversations/store/conversation-thread';
import type { ConversationEvent } from '#conversations/store/conversations';
import type { ContactId, TenantId } from '#core/ids';
import type { ListWindow, Page } from '#core/paging';
import type { Database } from '#database/database';

import { type ContactMerge, listMerges } from '#merges/store/contact-merges';
import type { InboundMessage, OutboundMessage } from '#messages/domain/message';
import { listEither } from '#messages/store/message-reads';
import type { DecisionWithReplies } from '#rules/store/rule-decisions';
import { type Bounds, olderThan, placeOf } from '#timeline/domain/timeline-place';
import type { TimelineType } from '#timeline/domain/timeline-type';
import {
  listContactChanges,
  listContactDecisions,
  listContactNotes,
  type Part,
} from '#timeline/store/conversation-entries';
import { type CampaignSkip, listCampaignSkips } from '#timeline/store/skipped-entries';

/** One thing that happened with a contact. */
export type TimelineEntry =
  | { readonly type: 'message'; readonly place: string; readonly message: OutboundMessage | InboundMessage }
  | { readonly type: 'note'; readonly place: string; readonly note: Note }
  | { readonly type: 'conversation_change'; readonly place: string; readonly change: ConversationEvent }
  | { readonly type: 'rule_decision'; readonly place: string; readonly decision: DecisionWithReplies }
  | { readonly type: 'consent'; readonly place: string; readonly consent: ConsentEntry }
  | { readonly type: 'campaign_skip'; readonly place: string; readonly skip: CampaignSkip }
  | { readonly type: 'merge'; readonly place: string; readonly merge: ContactMerge };

export interface TimelineInput {
  readonly tenantId: TenantId;
  readonly contactId: ContactId;
  /** What is read; the caller may read all of it. */
  readonly types: readonly TimelineType[];
  /** `beforeId` is a place. */
  readonly window: ListWindow;
}

type Entries = Page<TimelineEntry>;

/** How the entries of a type are read: so many below a bound. */
const READ: Readonly<Record<TimelineType, (db: Database, part: Part, bounds: Bounds) => Promise<Entries>>> = {
  message: async (db, { tenantId, contactId, beforeId, limit }) => {
    const both = { inbound: { contactId }, outbound: { contactId } };
    const page = await listEither(db, tenantId, both, { limit, offset: 0, beforeId });
    return entriesOf(page, (message) => ({ type: 'message', place: placeOf(message.messageId, false), message }));
  },
  note: async (db, part) =>
    entriesOf(await listContactNotes(db, part), (note) => ({ type: 'note', place: placeOf(note.noteId, false), note })),
  conversation_change: async (db, part) =>
    entriesOf(await listContactChanges(db, part), (change) => {
      return { type: 'conversation_change', place: placeOf(change.eventId, false), change };
    }),
  rule_decision: async (db, part, { decisionsBeforeId }) =>
    entriesOf(await listContactDecisions(db, { ...part, beforeId: decisionsBeforeId }), (decision) => {
      return { type: 'rule_decision', place: placeOf(decision.record.decisionId, true), decision };
    }),
  consent: async (db, { tenantId, contactId, beforeId, limit }) => {
    const items = await listConsents(db, tenantId, contactId, limit + 1, beforeId);
    const page = { items: items.slice(0, limit), hasMore: items.length > limit };
    return entriesOf(page, (consent) => ({ type: 'consent', place: placeOf(consent.entryId, false), consent }));
  },
  campaign_skip: async (db, { limit, ...part }) => {
    const items = await listCampaignSkips(db, { ...part, limit: limit + 1 });
    const page = { items: items.slice(0, limit), hasMore: items.length > limit };
    return entriesOf(page, (skip) => ({ type: 'campaign_skip', place: placeOf(skip.id, false), skip }));
  },
  merge: async (db, { tenantId, contactId, beforeId, limit }) => {
    const page = await listMerges(db, tenantId, contactId, { limit, offset: 0, beforeId });
    return entriesOf(page, (merge) => ({ type: 'merge', place: placeOf(merge.mergeId, false), merge }));
  },
};

/** A page of everything that happened with a contact, newest first: of each type at most as much as the page holds is read. */
export async function readTimeline(db: Database, input: TimelineInput): Promise<Entries> {
  const { tenantId, contactId, types, window } = input;
  const bounds = olderThan(window.beforeId);
  const end = window.offset + window.limit;
  const part: Part = { tenantId, contactId, beforeId: bounds.beforeId, limit: end };
  const pages = await Promise.all(types.map((type) => READ[type](db, part, bounds)));
  const merged = pages.flatMap(({ items }) => items).sort((left, right) => (left.place < right.place ? 1 : -1));
  const hasMore = merged.length > end || pages.some((page) => page.hasMore);
  return { items: merged.slice(window.offset, end), hasMore };
}

function entriesOf<T>({ items, hasMore }: Page<T>, entryOf: (item: T) => TimelineEntry): Entries {
  return { items: items.map(entryOf), hasMore };
}
