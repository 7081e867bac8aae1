import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AgentId, ContactId, ConversationId, PhoneNumberId, TeamId, TenantId } from '#core/ids';
import {
  applyConversationChange,
  type Conversation,
  type ConversationChange,
  changedFields,
  conversationStatuses,
  conversationTransitions,
  freeEntryOnAnswer,
  isHeldByOther,
  isIdle,
  isWindowClosing,
  MAX_CONVERSATION_TAGS,
  previewOf,
  reopens,
  WINDOW_MS,
  windowAt,
} from './conversation.ts';
import { changeEvents, describeChanges, describeConversation } from './conversation-events.ts';

const NOW = Date.UTC(2030, 0, 1);
const HOUR = 60 * 60 * 1000;

function conversation(fields: Partial<Conversation> = {}): Conversation {
  return {
    tenantId: 'a' as TenantId,
    conversationId: 'b' as ConversationId,
    number: 7,
    contactId: 'c' as ContactId,
    phoneNumberId: '1' as PhoneNumberId,
    status: 'open',
    assigneeId: null,
    teamId: null,
    priority: 'normal',
    tags: [],
    handledBy: 'none',
    unreadCount: 2,
    waitingSinceMs: NOW - HOUR,
    firstResponseMs: null,
    lastMessageMs: NOW - HOUR,
    lastInboundMs: NOW - HOUR,
    lastOutboundMs: null,
    phoneAnsweredMs: null,
    windowExpiresMs: NOW - HOUR + WINDOW_MS,
    windowEmittedMs: null,
    referralMs: null,
    freeEntryUntilMs: null,
    snoozedUntilMs: null,
    leaseAgentId: null,
    leaseUntilMs: null,
    lastMessage: null,
    version: 1,
    openedMs: NOW - HOUR,
    resolvedMs: null,
    reopened: 0,
    createdMs: NOW - HOUR,
    updatedMs: NOW - HOUR,
    ...fields,
  };
}

describe('a change', () => {
  test('into a status that may not follow is refused with a sentence, and every other one is made', () => {
    for (const from of conversationStatuses) {
      for (const to of conversationStatuses) {
        const before = conversation({ status: from, resolvedMs: from === 'resolved' ? NOW - 1 : null });
        const changed = applyConversationChange(before, { status: to }, NOW);
        const may = from === to || conversationTransitions[from].includes(to);
        expect([from, to, changed.ok]).toEqual([from, to, may]);
        if (changed.ok) expect(changed.after.status).toBe(to);
      }
    }
  });

  test('that changes nothing leaves the same object, and so no trace', () => {
    const before = conversation({ tags: ['vip'], unreadCount: 0 });
    const nothing: ConversationChange = {
      status: 'open',
      addTags: ['vip'],
      removeTags: ['x'],
      read: true,
      teamId: null,
    };
    expect(applyConversationChange(before, nothing, NOW)).toEqual({ ok: true, after: before });
  });

  test('keeps what the database requires of every row, through any sequence of changes', () => {
    const change = fc.record<ConversationChange>(
      {
        status: fc.constantFrom(...conversationStatuses),
        snoozedUntilMs: fc.option(fc.integer({ min: NOW, max: NOW + HOUR })),
        assigneeId: fc.option(fc.constantFrom('x' as AgentId, 'y' as AgentId)),
        teamId: fc.option(fc.constantFrom('t' as TeamId)),
        addTags: fc.array(fc.constantFrom('a', 'b', 'a,b')),
        removeTags: fc.array(fc.constantFrom('a', 'b', 'a,b')),
        read: fc.constant(true as const),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
        let one = conversation();
        for (const wish of changes) {
          const changed = applyConversationChange(one, wish, NOW);
          if (!changed.ok) continue;
          const { after } = changed;
          expect(after.version).toBe(changedFields(one, after).length === 0 ? one.version : one.version + 1);
          expect(Object.keys(describeChanges(one, after)).length).toBe(changedFields(one, after).length);
          expect(after.status === 'resolved').toBe(after.resolvedMs !== null);
          if (after.status !== 'snoozed') expect(after.snoozedUntilMs).toBeNull();
          if (after.status === 'resolved') expect(after.waitingSinceMs).toBeNull();
          expect(new Set(after.tags).size).toBe(after.tags.length);
          one = after;
        }
      }),
    );
  });

  test('opens a resolved conversation again as a new one of the same, and counts how often', () => {
    const resolved = conversation({ status: 'resolved', resolvedMs: NOW - 1, reopened: 3 });
    const changed = applyConversationChange(resolved, { status: 'open' }, NOW);
    expect(changed).toMatchObject({ ok: true, after: { resolvedMs: null, reopened: 4, openedMs: NOW } });
    const snoozed = applyConversationChange(conversation({ status: 'snoozed', reopened: 3 }), { status: 'open' }, NOW);
    expect(snoozed).toMatchObject({ ok: true, after: { reopened: 3, openedMs: NOW - HOUR } });
  });

  test('leaves messages unread unless it says that they were read', () => {
    const unread = (change: ConversationChange) =>
      applyConversationChange(conversation({ unreadCount: 2 }), change, NOW);
    expect(unread({ read: true })).toMatchObject({ ok: true, after: { unreadCount: 0 } });
    expect(unread({ priority: 'high' })).toMatchObject({ ok: true, after: { unreadCount: 2 } });
  });

  test('beyond the number of tags is refused whole', () => {
    const addTags = Array.from({ length: MAX_CONVERSATION_TAGS + 1 }, (_, n) => `tag-${n}`);
    expect(applyConversationChange(conversation(), { addTags }, NOW).ok).toBe(false);
    expect(applyConversationChange(conversation(), { addTags: addTags.slice(1) }, NOW).ok).toBe(true);
  });

  test('is recorded once per kind: the status, the assignment, or that something was updated', () => {
    const cause = { actor: { kind: 'key', id: 'k' }, cause: 'api', nowMs: NOW } as const;
    const eventTypes = (before: Conversation, change: ConversationChange) => {
      const changed = applyConversationChange(before, change, NOW);
      return changed.ok ? changeEvents(before, changed.after, cause).map((event) => event.type) : [];
    };
    const resolved = conversation({ status: 'resolved', resolvedMs: NOW - 1 });
    expect(eventTypes(conversation(), { status: 'resolved' })).toEqual(['conversation.resolved']);
    expect(eventTypes(conversation(), { status: 'snoozed', snoozedUntilMs: NOW + 1 })).toEqual([
      'conversation.snoozed',
    ]);
    expect(eventTypes(resolved, { status: 'open', assigneeId: 'x' as AgentId })).toEqual([
      'conversation.reopened',
      'conversation.assigned',
    ]);
    expect(eventTypes(conversation(), { priority: 'high', read: true })).toEqual(['conversation.updated']);
  });
});

describe('the window', () => {
  test('P10: is open until the millisecond in which its 24 hours are over', () => {
    const one = conversation({ windowExpiresMs: NOW });
    expect([-1, 0, 1].map((ms) => windowAt(one, NOW + ms).open)).toEqual([true, false, false]);
    expect(describeConversation(one, NOW - 1).window).toMatchObject({ state: 'open' });
    expect(describeConversation(one, NOW).window).toMatchObject({ state: 'closed', allowed: ['template'] });
    expect(windowAt(conversation({ windowExpiresMs: null }), NOW)).toMatchObject({ open: false, expiresMs: null });
  });

  test('P10: of an advertisement is free for 72 hours from the first answer, if that comes within 24 hours', () => {
    const brought = conversation({ referralMs: NOW });
    expect(freeEntryOnAnswer(brought, NOW + WINDOW_MS - 1)).toBe(NOW + WINDOW_MS - 1 + 72 * HOUR);
    expect(freeEntryOnAnswer(brought, NOW + WINDOW_MS)).toBeNull();
    expect(freeEntryOnAnswer(conversation(), NOW)).toBeNull();
    const answered = conversation({ referralMs: NOW, freeEntryUntilMs: NOW + 5 + 72 * HOUR });
    expect(freeEntryOnAnswer(answered, NOW + HOUR)).toBe(NOW + 5 + 72 * HOUR);
    expect(windowAt(answered, NOW + 4 + 72 * HOUR).freeUntilMs).toBe(NOW + 5 + 72 * HOUR);
    expect(windowAt(answered, NOW + 5 + 72 * HOUR).freeUntilMs).toBeNull();
    const again = conversation({ referralMs: NOW + 100 * HOUR, freeEntryUntilMs: NOW + 72 * HOUR });
    expect(freeEntryOnAnswer(again, NOW + 101 * HOUR)).toBe(NOW + 173 * HOUR);
  });
});

test('a resolved conversation reopens as the policy of its number says', () => {
  expect(reopens({ policy: 'reopen_last', hours: 1 }, NOW, NOW + 1_000 * HOUR)).toBe(true);
  expect(reopens({ policy: 'always_new', hours: 1 }, NOW, NOW)).toBe(false);
  const day = { policy: 'new_after', hours: 24 } as const;
  expect([-1, 0].map((ms) => reopens(day, NOW, NOW + 24 * HOUR + ms))).toEqual([true, false]);
});

test('a closing window is announced within its last hour, once, and not for resolved conversations', () => {
  const one = conversation({ windowExpiresMs: NOW });
  const at = (ms: number, fields = {}) => isWindowClosing({ ...one, ...fields }, NOW + ms);
  expect([-HOUR - 1, -HOUR, -1, 0].map((ms) => at(ms))).toEqual([false, true, true, false]);
  expect([at(-1, { windowEmittedMs: NOW }), at(-1, { windowEmittedMs: NOW - 1 })]).toEqual([false, true]);
  expect([at(-1, { status: 'resolved' }), at(-1, { status: 'snoozed' })]).toEqual([false, true]);
});

test('a conversation is idle once nothing was written or changed for the hours of its number, unless it waits or sleeps', () => {
  const one = conversation({ lastMessageMs: NOW, updatedMs: NOW, waitingSinceMs: null });
  const idle = (ms: number, fields = {}, evenWaiting = false) =>
    isIdle({ ...one, ...fields }, { hours: 2, evenWaiting }, NOW + ms);
  expect([idle(2 * HOUR - 1), idle(2 * HOUR)]).toEqual([false, true]);
  expect(idle(2 * HOUR, { updatedMs: NOW + 1 })).toBe(false);
  expect(idle(2 * HOUR, { lastMessageMs: NOW + 1 })).toBe(false);
  expect([idle(2 * HOUR, { waitingSinceMs: NOW }), idle(2 * HOUR, { waitingSinceMs: NOW }, true)]).toEqual([
    false,
    true,
  ]);
  expect(['pending', 'snoozed', 'resolved'].map((status) => idle(2 * HOUR, { status }))).toEqual([true, false, false]);
});

test('a lease holds back everyone but its holder, until its end', () => {
  const held = conversation({ leaseAgentId: 'x' as AgentId, leaseUntilMs: NOW });
  expect([-1, 0].map((ms) => isHeldByOther(held, 'y', NOW + ms))).toEqual([true, false]);
  expect(isHeldByOther(held, null, NOW - 1)).toBe(true);
  expect(isHeldByOther(held, 'x', NOW - 1)).toBe(false);
});

test('a preview is cut between characters', () => {
  expect(previewOf(null)).toBeNull();
  expect(previewOf('Hello')).toBe('Hello');
  const long = previewOf('🎉'.repeat(300)) ?? '';
  expect([...long].length).toBe(120);
  // Throws at half a character.
  expect(decodeURIComponent(encodeURIComponent(long))).toBe(long);
});
