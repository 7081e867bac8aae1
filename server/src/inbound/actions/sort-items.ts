import type { NoticeItem } from '#accounts/domain/account-notice';
import type { Located } from '#accounts/domain/located';
import type { NumberItem } from '#accounts/domain/number-item';
import type { CallbackId, TenantId } from '#core/ids';
import type { JsonValue } from '#core/json';
import type { IdentityItem } from '#inbound/domain/callback-identity';
import type {
  BookItem,
  CallbackItem,
  CallItem,
  ChangeItem,
  EchoChangeItem,
  EchoItem,
  InboundItem,
  PastItem,
} from '#inbound/domain/callback-items';
import { unreadNotice } from '#inbound/domain/callback-notices';
import type { PreferenceItem } from '#inbound/domain/callback-preferences';
import type { UnhandledItem } from '#inbound/store/callbacks';
import type { OwnedStatus } from '#messages/actions/store-statuses';
import type { StatusItem } from '#messages/domain/status-item';
import type { TemplateItem } from '#templates/domain/template-item';
import { type Mentioned, mentionOf } from './hold-senders.ts';
import type { OwnedIdentityChange } from './join-contacts.ts';
import type { OwnedPast } from './past-rows.ts';
import type { OwnedBookEntry } from './store-book.ts';
import type { OwnedCall } from './store-calls.ts';
import type { OwnedEchoChange } from './store-echo-changes.ts';
import type { OwnedEcho } from './store-echoes.ts';
import type { OwnedChange } from './store-message-changes.ts';
import type { OwnedPreference } from './store-preferences.ts';

interface WithItems {
  readonly callbackId: CallbackId;
  readonly items: readonly CallbackItem[];
}

/** Whether the tenant of an item is found by the sending number that it names. */
export function isOfNumber(item: CallbackItem): item is ItemOfNumber {
  return NUMBER_KINDS.has(item.kind);
}

/** What names the sending number that it is about. */
export type ItemOfNumber =
  | StatusItem
  | InboundItem
  | EchoItem
  | EchoChangeItem
  | BookItem
  | PastItem
  | ChangeItem
  | CallItem
  | PreferenceItem
  | IdentityItem;
const NUMBER_KINDS: ReadonlySet<CallbackItem['kind']> = new Set([
  'status',
  'inbound',
  'echo',
  'echo_change',
  'book',
  'past',
  'change',
  'call',
  'preference',
  'identity',
]);

/** A change of names that is reported apart from messages. */
export type LocatedIdentityChange = OwnedIdentityChange & { readonly located: Located<IdentityItem> };

/** What callbacks say, by kind, with whom it concerns. */
export interface SortedItems {
  readonly statuses: readonly OwnedStatus[];
  readonly inbound: readonly (Located<InboundItem> & { readonly tenantId: TenantId })[];
  readonly echoes: readonly OwnedEcho[];
  readonly echoChanges: readonly OwnedEchoChange[];
  readonly book: readonly OwnedBookEntry[];
  readonly past: readonly OwnedPast[];
  readonly changes: readonly OwnedChange[];
  readonly calls: readonly OwnedCall[];
  readonly preferences: readonly OwnedPreference[];
  readonly identities: readonly LocatedIdentityChange[];
  readonly numbers: readonly Located<NumberItem>[];
  readonly notices: readonly Located<NoticeItem>[];
  readonly templates: readonly Located<TemplateItem>[];
  /** What nothing here acts on: those of `unhandled` that name an account. */
  readonly unread: readonly NoticeItem[];
  readonly unhandled: readonly UnhandledItem[];
}

/** Finds the tenant of each item by its number; an item without one, or of an unknown kind, is unhandled. */
export function sortItems(callbacks: readonly WithItems[], owners: ReadonlyMap<string, TenantId>): SortedItems {
  const statuses: OwnedStatus[] = [];
  const inbound: (Located<InboundItem> & { tenantId: TenantId })[] = [];
  const echoes: OwnedEcho[] = [];
  const echoChanges: OwnedEchoChange[] = [];
  const book: OwnedBookEntry[] = [];
  const past: OwnedPast[] = [];
  const changes: OwnedChange[] = [];
  const calls: OwnedCall[] = [];
  const preferences: OwnedPreference[] = [];
  const identities: LocatedIdentityChange[] = [];
  const numbers: Located<NumberItem>[] = [];
  const notices: Located<NoticeItem>[] = [];
  const templates: Located<TemplateItem>[] = [];
  const unread: NoticeItem[] = [];
  const unhandled: UnhandledItem[] = [];
  const located = callbacks.flatMap(({ callbackId, items }) =>
    items.map((item, index) => ({ callbackId, index, item })),
  );
  for (const one of located) {
    const { item } = one;
    const tenantId = isOfNumber(item) ? owners.get(item.phoneNumberId) : undefined;
    if (item.kind === 'other') {
      unhandled.push(unhandledItem(one, item.name, 'Nothing reads this kind yet.', item.raw));
      if (item.networkAccountId !== undefined) unread.push(unreadNotice(item, item.networkAccountId));
    } else if (item.kind === 'number') numbers.push({ ...one, item });
    else if (item.kind === 'notice') notices.push({ ...one, item });
    else if (item.kind === 'template') templates.push({ ...one, item });
    else if (item.kind === 'ignored') unhandled.push(unhandledItem(one, 'malformed', item.reason, item.raw));
    else if (tenantId === undefined) {
      unhandled.push(
        unhandledItem(one, 'unknown_number', `Nobody has the number ${item.phoneNumberId}.`, toJson(item)),
      );
    } else if (item.kind === 'status') statuses.push({ ...one, item, tenantId });
    else if (item.kind === 'echo') echoes.push({ tenantId, item });
    else if (item.kind === 'echo_change') echoChanges.push({ tenantId, item });
    else if (item.kind === 'book') book.push({ tenantId, item });
    else if (item.kind === 'past') past.push({ tenantId, item });
    else if (item.kind === 'change') changes.push({ tenantId, item });
    else if (item.kind === 'call') calls.push({ tenantId, item });
    else if (item.kind === 'preference') preferences.push({ tenantId, item, messageId: null });
    else if (item.kind === 'identity') identities.push({ ...item, tenantId, located: { ...one, item } });
    else inbound.push({ ...one, item, tenantId });
  }
  return {
    statuses,
    inbound,
    echoes,
    echoChanges,
    book,
    past,
    changes,
    calls,
    preferences,
    identities,
    numbers,
    notices,
    templates,
    unread,
    unhandled,
  };
}

/** Everybody of whom something is said, but for the recipients of statuses. */
export function mentionsOf({
  inbound,
  echoes,
  echoChanges,
  book,
  past,
  calls,
  preferences,
  identities,
}: SortedItems): readonly Mentioned[] {
  return [
    ...[...preferences, ...calls, ...book, ...past].map(({ tenantId, item }) =>
      mentionOf(tenantId, { phone: item.from, userId: item.userId }, undefined),
    ),
    ...inbound.map(({ tenantId, item }) =>
      mentionOf(tenantId, { phone: item.from, userId: item.userId }, item.identityChange),
    ),
    ...echoChanges.map(({ tenantId, item }) =>
      mentionOf(tenantId, { phone: item.from, userId: item.userId }, undefined),
    ),
    ...echoes.map(({ tenantId, item }) => mentionOf(tenantId, { phone: item.to, userId: item.userId }, undefined)),
    ...identities.map((change) => mentionOf(change.tenantId, change.current, change)),
  ];
}

/** Somebody who never wrote is no contact; the change counts once the person is known and the callback is replayed. */
export function unknownPerson({ located }: LocatedIdentityChange): UnhandledItem {
  return unhandledItem(located, 'unknown_person', 'Nobody is known by these user IDs.', toJson(located.item));
}

/** Created at the network and never read from it: a sync imports it, with the reported state. */
export function unknownTemplate(located: Located<TemplateItem>): UnhandledItem {
  const { name, language, raw } = located.item;
  return unhandledItem(located, 'unknown_template', `Nobody has the template ${name} (${language}).`, raw);
}

export function unhandledItem(
  { callbackId, index }: Located<unknown>,
  name: string,
  reason: string,
  raw: JsonValue,
): UnhandledItem {
  return { callbackId, item: index, name, reason, raw };
}

export function toJson(item: ItemOfNumber): JsonValue {
  return JSON.parse(JSON.stringify(item)) as JsonValue;
}
