import { expect, test } from 'vitest';
import type { JsonObject } from '#core/json';
import type { EventType, StoredEvent } from '#events/domain/event';
import { quarterOf } from '#events/domain/message-sums';
import { type ConversationCounts, ConversationTally, NO_CONVERSATIONS } from './conversation-tally.ts';

const AT = '2030-01-01T10:20:00.000Z';
const AT_MS = Date.parse(AT);
/** The moment is in its first 48 bits. */
const MESSAGE_ID = `${AT_MS.toString(16)
  .padStart(12, '0')
  .replace(/^(.{8})/, '$1-')}-7000-8000-000000000000`;
const place = { assignee_id: 'ada', team_id: null, phone_number_id: null, handled_by: null, tags: [] };
const took = { elapsed_ms: 60_000, business_ms: 30_000 };

function event(type: EventType, data: JsonObject): StoredEvent {
  return { id: 'e', sequence: 1, type, data: { ...place, ...data }, recordedMs: AT_MS };
}

function tallyOf(...events: readonly StoredEvent[]): ConversationTally {
  const tally = new ConversationTally();
  for (const one of events) tally.addEvent(one);
  return tally;
}

/** What is counted of an agent; undefined: nothing. */
function countsOf(tally: ConversationTally, agent: string): ConversationCounts | undefined {
  const row = tally.deltas.find(({ dimension, key }) => dimension === 'agent' && key === agent);
  if (row) expect(row.quarter).toBe(quarterOf(AT_MS));
  return row?.counts;
}

const durationsOf = (tally: ConversationTally): readonly string[] => [
  ...new Set(tally.durations.flatMap(({ histograms }) => [...histograms.keys()])),
];

const opened = event('conversation.opened', { opened_at: AT });
const reply = { message_id: MESSAGE_ID, is_first: true };

test('each kind of event counts once, for the assignee, in its quarter of an hour', () => {
  const tally = tallyOf(
    opened,
    opened,
    event('conversation.reopened', { opened_at: AT }),
    event('conversation.assigned', { changes: { assignee_id: [null, 'ada'] } }),
    event('conversation.replied', { reply, timing: took }),
    event('conversation.resolved', { resolved_at: AT, timing: took }),
  );
  expect(countsOf(tally, 'ada')).toEqual({ opened: 2, reopened: 1, assigned: 1, replies: 1, resolved: 1 });
});

test('what is not a conversation counts nowhere, nor does an event of any other type', () => {
  const tally = tallyOf(event('conversation.updated', { resolved_at: AT }), event('message.sent', {}));
  expect([tally.deltas, tally.durations]).toEqual([[], []]);
});

test('a conversation that only got another team was not given to an agent', () => {
  const tally = tallyOf(event('conversation.assigned', { changes: { team_id: [null, 'sales'] } }));
  expect(tally.deltas).toEqual([]);
});

test('a reply belongs to the agent who wrote it, and one of a key to the assignee', () => {
  const by = (actor: JsonObject) => tallyOf(event('conversation.replied', { reply, timing: took, actor }));
  const one = { ...NO_CONVERSATIONS, replies: 1 };
  expect(countsOf(by({ kind: 'agent', id: 'ben' }), 'ben')).toEqual(one);
  expect(countsOf(by({ kind: 'agent', id: 'ben' }), 'ada')).toBeUndefined();
  expect(countsOf(by({ kind: 'key', id: 'k' }), 'ada')).toEqual(one);
});

test('a first reply counts as a response too, a later one does not, and one without a message not at all', () => {
  const of = (reply: JsonObject | null) => durationsOf(tallyOf(event('conversation.replied', { reply, timing: took })));
  const replies = ['reply', 'reply_business'];
  expect(of(reply)).toEqual([...replies, 'first_response', 'first_response_business']);
  expect(of({ ...reply, is_first: false })).toEqual(replies);
  expect(of(null)).toEqual([]);
});

test('an unassigned conversation was resolved by the agent who did it', () => {
  const resolved = (assignee: string | null) =>
    tallyOf(
      event('conversation.resolved', { resolved_at: AT, assignee_id: assignee, actor: { kind: 'agent', id: 'ben' } }),
    );
  expect(countsOf(resolved(null), 'ben')?.resolved).toBe(1);
  expect(countsOf(resolved('ada'), 'ada')?.resolved).toBe(1);
  expect(countsOf(resolved('ada'), 'ben')).toBeUndefined();
});
