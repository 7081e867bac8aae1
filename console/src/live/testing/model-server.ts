/** The service as the live store meets it: conversations, threads, a numbered feed, and commands that are done once. */
import { comparePositions, positionOf, type Sort } from '../activity.ts';
import type { Command, Outcome } from '../commands.ts';
import type { Conversation, ConversationState, InboundItem, LiveEvent, OutboundItem, ThreadItem } from '../model.ts';

const WINDOW_MS = 24 * 3_600_000;
const START_MS = Date.parse('2030-01-01T09:00:00.000Z');
export const PAGE = 3;

export class ModelServer {
  readonly conversations = new Map<string, Conversation>();
  readonly threads = new Map<string, ThreadItem[]>();
  readonly events: LiveEvent[] = [];
  readonly #outcomes = new Map<string, Outcome>();
  readonly #names = new Map<string, string>();
  #ticks = 0;

  get head(): number {
    return this.events.length;
  }

  get ids(): readonly string[] {
    return [...this.conversations.keys()];
  }

  /** A customer writes some messages that are stored in one transaction. */
  customerWrites(customer: number, count: number): void {
    const contactId = `contact-${customer}`;
    if (!this.#names.has(contactId)) this.#names.set(contactId, `Customer ${customer}`);
    const known = [...this.conversations.values()].find((one) => one.contact_id === contactId);
    const receivedAt = this.#now();
    const id = known?.id ?? this.#id('c');
    const items = Array.from({ length: count }, () => this.#inbound(id, contactId, receivedAt));
    const before = known ?? this.#fresh(id, contactId, receivedAt);
    const isWoken = before.status === 'resolved' || before.status === 'snoozed';
    const last = items.at(-1) as InboundItem;
    const after: Conversation = {
      ...before,
      status: isWoken ? 'open' : before.status,
      snoozed_until: isWoken ? null : before.snoozed_until,
      version: before.version + (isWoken ? 1 : 0),
      unread_count: before.unread_count + count,
      waiting_since: before.waiting_since ?? receivedAt,
      last_inbound_at: receivedAt,
      window: { ...before.window, state: 'open', expires_at: addMs(receivedAt, WINDOW_MS) },
      last_message: { id: last.id, direction: 'inbound', type: 'text', preview: last.body, at: receivedAt },
      updated_at: this.#now(),
    };
    this.conversations.set(id, after);
    this.threads.set(id, [...(this.threads.get(id) ?? []), ...items]);
    if (known === undefined) this.#emitConversation('conversation.opened', after);
    else if (isWoken) this.#emitConversation('conversation.reopened', after);
    for (const item of items) this.#emit('message.received', item);
  }

  /** Messages from before the API are brought in, which no event names; in the end the network says that these were all. */
  bringPast(id: string): void {
    const { contact_id: contactId } = this.#get(id);
    const item = { ...this.#inbound(id, contactId, '2029-01-01T09:00:00.000Z'), id: 'm-00000000' };
    this.threads.set(id, [item, ...(this.threads.get(id) ?? [])]);
    this.#emit('account.notice', { field: 'history', value: { phase: 2, progress: 100 } });
  }

  /** A customer edits or deletes one of the messages of a conversation. */
  customerChanges(id: string, place: number, isDeletion: boolean): void {
    const items = this.threads.get(id) ?? [];
    const inbound = items.filter((one): one is InboundItem => 'direction' in one && one.direction === 'inbound');
    const item = inbound[place % Math.max(1, inbound.length)];
    if (item === undefined) return;
    const at = this.#now();
    const text = isDeletion
      ? { body: null, summary: 'Deleted.', edits: [], deleted_at: at }
      : { body: `${item.body} edited`, edits: [{ body: item.body, edited_at: at }] };
    const changed: InboundItem = { ...item, ...text };
    items[items.indexOf(item)] = changed;
    const before = this.#get(id);
    if (before.last_message?.id === item.id) {
      const preview = changed.body ?? changed.summary ?? null;
      this.conversations.set(id, { ...before, last_message: { ...before.last_message, preview } });
    }
    this.#emit(isDeletion ? 'message.deleted' : 'message.edited', changed);
  }

  /** Somebody answers; without an agent it is a campaign whose message joins the conversation. */
  reply(id: string, body: string, { isAgent, reference }: { isAgent: boolean; reference: string | null }): string {
    const before = this.#get(id);
    const at = this.#now();
    const item: OutboundItem = {
      id: this.#id('m'),
      direction: 'outbound',
      status: 'queued',
      type: 'text',
      body,
      client_ref: reference,
      reply_to: null,
      conversation_id: id,
      created_at: at,
      delivery: { state: 'pending' },
    };
    const after: Conversation = {
      ...before,
      waiting_since: isAgent ? null : before.waiting_since,
      last_message: { id: item.id, direction: 'outbound', type: 'text', preview: body, at },
      updated_at: at,
    };
    this.conversations.set(id, after);
    this.threads.get(id)?.push(item);
    this.#emit('message.queued', progressOf(item));
    if (isAgent) this.#emitConversation('conversation.replied', after);
    return item.id;
  }

  /** The network reports about an outbound message; steps may be left out. */
  report(id: string, place: number, step: 'sent' | 'delivered' | 'read' | 'failed'): void {
    const items = this.threads.get(id) ?? [];
    const outbound = items.filter((one): one is OutboundItem => 'direction' in one && one.direction === 'outbound');
    const item = outbound[place % Math.max(1, outbound.length)];
    const order = ['pending', 'sent', 'delivered', 'read', 'failed'];
    if (item === undefined || order.indexOf(step) <= order.indexOf(item.delivery.state)) return;
    const at = this.#now();
    const error = { code: 'refused', message: 'Refused.' };
    const changed: OutboundItem = {
      ...item,
      status: step === 'failed' ? 'failed' : 'sent',
      delivery: { ...item.delivery, state: step, ...(step === 'failed' ? { error } : {}) },
    };
    items[items.indexOf(item)] = changed;
    this.#emit(`message.${step}`, { ...progressOf(changed), at, ...(step === 'failed' ? { error } : {}) });
  }

  note(id: string, body: string): string {
    const author = { kind: 'agent' as const, id: 'agent-1' };
    const note = { id: this.#id('m'), conversation_id: id, type: 'note' as const, body, mentions: [], author };
    const item: ThreadItem = { ...note, created_at: this.#now() };
    this.threads.get(id)?.push(item);
    this.#emit('note.created', item);
    return item.id;
  }

  /** A recorded change; one that changes nothing has no event. */
  change(id: string, change: Partial<ConversationState>): Conversation {
    const before = this.#get(id);
    const differs = Object.entries(change).some(([key, value]) => before[key as keyof Conversation] !== value);
    if (!differs) return before;
    const after: Conversation = { ...before, ...change, version: before.version + 1, updated_at: this.#now() };
    this.conversations.set(id, after);
    this.#emitConversation('conversation.updated', after);
    return after;
  }

  rename(customer: number, name: string): void {
    const contactId = `contact-${customer}`;
    if (!this.#names.has(contactId)) return;
    this.#names.set(contactId, name);
    for (const [id, one] of this.conversations) {
      if (one.contact_id === contactId) this.conversations.set(id, { ...one, contact: this.#contact(contactId) });
    }
    this.#emit('contact.updated', { id: contactId });
  }

  /** Does a command once; every further try has the same outcome. */
  execute({ key, conversationId: id, intent }: Command): Outcome {
    const known = this.#outcomes.get(key);
    if (known !== undefined) return known;
    const outcome = this.#executeOnce(key, id, intent);
    this.#outcomes.set(key, outcome);
    return outcome;
  }

  #executeOnce(key: string, id: string, intent: Command['intent']): Outcome {
    switch (intent.kind) {
      case 'reply': {
        if (intent.after !== null && this.#get(id).last_message?.id !== intent.after)
          return { kind: 'refused', refusal: { code: 'conversation_conflict', sentence: 'There is a newer message.' } };
        const reply = { isAgent: true, reference: `console:${key}` };
        return { kind: 'accepted', messageId: this.reply(id, intent.content.body ?? '', reply) };
      }
      case 'note':
        return { kind: 'accepted', messageId: this.note(id, intent.body) };
      case 'assign':
        return { kind: 'changed', conversation: this.change(id, { assignee_id: intent.assigneeId }) };
      case 'snooze':
        return { kind: 'changed', conversation: this.change(id, { status: 'snoozed', snoozed_until: intent.until }) };
      case 'prioritize':
        return { kind: 'changed', conversation: this.change(id, { priority: intent.priority }) };
      case 'resolve':
        return { kind: 'changed', conversation: this.change(id, { status: 'resolved', snoozed_until: null }) };
      case 'reopen':
        return { kind: 'changed', conversation: this.change(id, { status: 'open', snoozed_until: null }) };
      case 'read':
        return { kind: 'changed', conversation: this.change(id, { unread_count: 0 }) };
    }
  }

  /** A page of a list. The cursor is the position of its last row, as the API's is. */
  list(holds: (one: Conversation) => boolean, sort: Sort, cursor: string | null) {
    const compare = comparePositions(sort);
    const rows = [...this.conversations.values()].filter(holds);
    rows.sort((left, right) => compare(positionOf(left, sort), positionOf(right, sort)));
    const after = cursor === null ? rows : rows.filter((one) => compare(positionOf(one, sort), readCursor(cursor)) > 0);
    const page = after.slice(0, PAGE);
    const last = page.at(-1);
    const next = after.length > PAGE && last !== undefined ? positionOf(last, sort).join(' ') : null;
    return { conversations: page, cursor: next };
  }

  thread(id: string, cursor: string | null) {
    const all = (this.threads.get(id) ?? []).toSorted((left, right) => (left.id < right.id ? 1 : -1));
    const rest = cursor === null ? all : all.filter((one) => one.id < cursor);
    const items = rest.slice(0, PAGE);
    return { items, cursor: rest.length > PAGE ? (items.at(-1)?.id ?? null) : null };
  }

  #get(id: string): Conversation {
    return this.conversations.get(id) as Conversation;
  }

  #contact(id: string) {
    return { id, name: this.#names.get(id) ?? null, phone: null };
  }

  #fresh(id: string, contactId: string, at: string): Conversation {
    return {
      id,
      number: this.conversations.size + 1,
      contact_id: contactId,
      contact: this.#contact(contactId),
      phone_number_id: '1',
      status: 'open',
      assignee_id: null,
      team_id: null,
      priority: 'normal',
      tags: [],
      handled_by: 'none',
      unread_count: 0,
      waiting_since: null,
      snoozed_until: null,
      window: { state: 'open', expires_at: null, free_until: null, allowed: [] },
      lease: null,
      last_message: null,
      last_inbound_at: null,
      created_at: at,
      updated_at: at,
      version: 1,
    };
  }

  #inbound(id: string, contactId: string, at: string): InboundItem {
    const messageId = this.#id('m');
    return {
      id: messageId,
      direction: 'inbound',
      type: 'text',
      from: contactId,
      profile_name: null,
      body: `text of ${messageId}`,
      media: null,
      reply_to: null,
      conversation_id: id,
      network_timestamp: at,
      received_at: at,
      created_at: at,
    };
  }

  #emitConversation(type: string, one: Conversation): void {
    const { contact, ...state } = one;
    this.#emit(type, { ...state, changes: {}, actor: { kind: 'system', id: null }, cause: 'api' });
  }

  #emit(type: string, data: object): void {
    const sequence = this.events.length + 1;
    this.events.push({ id: `event-${sequence}`, sequence, type, timestamp: this.#now(), data });
  }

  /** Every step has a time of its own. */
  #now(): string {
    this.#ticks += 1;
    return new Date(START_MS + this.#ticks).toISOString();
  }

  #id(kind: string): string {
    this.#ticks += 1;
    return `${kind}-${String(this.#ticks).padStart(8, '0')}`;
  }
}

const readCursor = (cursor: string): readonly [string, string] => cursor.split(' ') as [string, string];
const addMs = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString();

function progressOf({ id, conversation_id, client_ref }: OutboundItem) {
  return { id, conversation_id, client_ref };
}
