import Type from 'typebox';
import {
  conversationPriorities,
  conversationStatuses,
  handlers,
  MAX_CONVERSATION_TAGS,
  MAX_TAG_LENGTH,
} from '#conversations/domain/conversation';
import { actorKinds } from '#core/caller/actor';
import type { JsonObject } from '#core/json';
import type { ErrorExample } from '#http/operation';
import { inboundExample, outboundExample } from '#http/schemas/examples';
import {
  choiceOf,
  named,
  nullableText,
  nullableTime,
  nullableUuid,
  text,
  time,
  uuid,
  withExample,
} from '#http/schemas/fields';
import { InboundMessageView, OutboundMessageView } from '#messages/http/schemas/message';

const conversationId = '0190a6f2-8c20-7a11-8f00-0a1b2c3d4e5f';
const agentId = '0190a6f2-9a00-7b00-8c00-0a1b2c3d4e5f';

const Window = Type.Object(
  {
    state: choiceOf(['open', 'closed'], 'Open for 24 hours from each message of the customer.'),
    expires_at: nullableTime('The first moment at which it is closed; null: the customer never wrote.'),
    free_until: nullableTime(
      'Until when the network charges nothing, since an advertisement brought the customer and the answer came within a day.',
    ),
    allowed: Type.Array(Type.String(), { description: 'Types of messages that may be sent now.' }),
  },
  named('MessagingWindow', 'What may be written to the customer at this moment.'),
);

const Lease = Type.Unsafe({
  type: ['object', 'null'],
  ...named('WritingLease', 'The agent who writes at this moment; null: nobody.'),
  properties: { agent_id: uuid('The agent.'), until: time('When it ends unless it is renewed.') },
  required: ['agent_id', 'until'],
});

const LastMessage = Type.Unsafe({
  type: ['object', 'null'],
  ...named('LastMessage', 'The newest message.'),
  properties: {
    id: uuid('Identifier of the message.'),
    direction: choiceOf(['inbound', 'outbound'], 'Who wrote it.'),
    type: Type.String({ description: 'Kind of message.' }),
    preview: nullableText('The beginning of its text.'),
    at: time('When it was sent.'),
  },
  required: ['id', 'direction', 'type', 'preview', 'at'],
});

const Contact = Type.Object(
  {
    id: uuid('Identifier of the contact.'),
    name: nullableText('Name.'),
    phone: nullableText('Number, digits only.'),
  },
  named('ConversationContact', 'The customer.'),
);

/** What an event of a conversation carries too. */
export const conversationFields = {
  id: uuid('Identifier of the conversation.'),
  number: Type.Integer({ description: 'What people call it: counts your conversations from 1.' }),
  contact_id: uuid('The contact that it is with.'),
  phone_number_id: Type.String({ description: "The network's identifier of the business number." }),
  status: choiceOf(
    conversationStatuses,
    named('ConversationStatus', 'Where it stands; docs/state-machines.md draws what may follow on what.'),
  ),
  assignee_id: nullableUuid('The agent who has it.'),
  team_id: nullableUuid('The team that has it.'),
  priority: choiceOf(conversationPriorities, named('ConversationPriority', 'How urgent it is.')),
  tags: Type.Array(Type.String(), { description: 'Tags, in the order in which they were added.' }),
  handled_by: choiceOf(handlers, named('ConversationHandler', 'Who answers: a chatbot, a person, or nobody yet.')),
  unread_count: Type.Integer({ description: 'Messages of the customer since it was last marked as read.' }),
  waiting_since: nullableTime('The first message that nobody has answered; null: the customer does not wait.'),
  snoozed_until: nullableTime('When a snooze ends; null: when the customer writes, or it is not snoozed.'),
  window: Window,
  lease: Lease,
  last_message: LastMessage,
  first_response_at: nullableTime('When a person first answered.'),
  last_inbound_at: nullableTime('When the customer last wrote, as the network says.'),
  last_outbound_at: nullableTime('When the business last wrote.'),
  opened_at: time('When it was opened, or last opened again.'),
  resolved_at: nullableTime('When it was resolved.'),
  reopened_count: Type.Integer({ description: 'How often it was opened again.' }),
  version: Type.Integer({ description: 'Grows with each change, not with messages; the ETag.' }),
  created_at: time('When it began.'),
  updated_at: time('When it last changed, or a message came.'),
};

export const ConversationView = Type.Object(
  { ...conversationFields, contact: Contact },
  named('Conversation', 'A customer and a number of yours, from the first message to the resolution.'),
);

/** As an event shows it. */
export const conversationData: JsonObject = {
  id: conversationId,
  number: 42,
  contact_id: '0190a6f2-8c20-7a10-8f00-0a1b2c3d4e5f',
  phone_number_id: '106540352242922',
  status: 'open',
  assignee_id: null,
  team_id: null,
  priority: 'normal',
  tags: ['delivery'],
  handled_by: 'none',
  unread_count: 2,
  waiting_since: '2030-01-01T09:00:00.000Z',
  snoozed_until: null,
  window: {
    state: 'open',
    expires_at: '2030-01-02T09:01:00.000Z',
    free_until: null,
    allowed: [
      'text',
      'image',
      'video',
      'audio',
      'document',
      'sticker',
      'location',
      'contacts',
      'interactive',
      'reaction',
      'template',
    ],
  },
  lease: null,
  last_message: {
    id: '0190a6f3-1111-7222-8333-444455556666',
    direction: 'inbound',
    type: 'text',
    preview: 'Where is my parcel?',
    at: '2030-01-01T09:01:00.000Z',
  },
  first_response_at: null,
  last_inbound_at: '2030-01-01T09:01:00.000Z',
  last_outbound_at: null,
  opened_at: '2030-01-01T09:00:01.000Z',
  resolved_at: null,
  reopened_count: 0,
  version: 3,
  created_at: '2030-01-01T09:00:01.000Z',
  updated_at: '2030-01-01T09:01:01.000Z',
};

export const conversationExample: JsonObject = {
  ...conversationData,
  contact: { id: '0190a6f2-8c20-7a10-8f00-0a1b2c3d4e5f', name: 'Ada Obi', phone: '447700900123' },
};

export const ConversationParams = Type.Object({
  id: withExample(uuid('Identifier of the conversation.'), conversationId),
});

const ActorView = Type.Object(
  {
    kind: choiceOf(actorKinds, 'What it is; system: the service itself, or a message of the customer.'),
    id: nullableText('Identifier of the agent, the key or the rule; null: the service itself.'),
  },
  named('Actor', 'Who did it.'),
);

export const changesField = {
  changes: Type.Unsafe<JsonObject>({
    type: 'object',
    additionalProperties: true,
    description: 'What differs: each field with its old and its new value.',
  }),
  actor: ActorView,
  cause: Type.String({
    description: 'What led to it: api, bulk, inbound, snooze_over, idle, window_closing, rule, assignment.',
  }),
};

export const HistoryItem = Type.Object(
  { id: uuid('Identifier of the entry.'), at: time('When it was made.'), ...changesField },
  named('ConversationChange', 'A change of a conversation.'),
);
export const conversationHistoryExample: JsonObject = {
  id: '0190a6f5-1111-7222-8333-444455556666',
  at: '2030-01-01T09:05:00.000Z',
  changes: { assignee_id: [null, agentId] },
  actor: { kind: 'agent', id: agentId },
  cause: 'api',
};

export const NoteView = Type.Object(
  {
    id: uuid('Identifier of the note.'),
    conversation_id: uuid('The conversation that it stands in.'),
    type: choiceOf(['note'], 'A private note.'),
    body: Type.String({ description: 'What it says.' }),
    mentions: Type.Array(uuid('An agent.'), { description: 'Agents who are called.' }),
    author: ActorView,
    created_at: time('When it was written.'),
  },
  named('Note', 'What agents write to each other. The customer never sees it.'),
);
export const noteExample: JsonObject = {
  id: '0190a6f4-1111-7222-8333-444455556666',
  conversation_id: conversationId,
  type: 'note',
  body: 'She moved last week; the address on file is the old one.',
  mentions: [],
  author: { kind: 'agent', id: agentId },
  created_at: '2030-01-01T09:02:00.000Z',
};

export const ThreadItem = Type.Unsafe({
  oneOf: [OutboundMessageView, InboundMessageView, NoteView],
  ...named('ThreadItem', 'A message of either direction, told apart by direction; or a note, whose type is note.'),
});
export const threadExamples: readonly JsonObject[] = [outboundExample, noteExample, inboundExample];

const nullableAgent = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  format: 'uuid',
  description: 'The agent who shall have it; null: nobody.',
});
const nullableTeam = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  format: 'uuid',
  description: 'The team that shall have it; null: none.',
});
export const assignment = { assignee_id: Type.Optional(nullableAgent), team_id: Type.Optional(nullableTeam) };

export const snoozedUntil = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  format: 'date-time',
  description: 'When it wakes; null or absent: when the customer writes.',
});

function tagList(description: string) {
  return Type.Array(text(MAX_TAG_LENGTH, 'A tag.'), { maxItems: MAX_CONVERSATION_TAGS, description });
}

export const tagChanges = {
  add_tags: Type.Optional(tagList('Tags to add.')),
  remove_tags: Type.Optional(tagList('Tags to take away.')),
};

export const changeFields = {
  status: Type.Optional(choiceOf(conversationStatuses, named('ConversationStatus', 'The status to be in.'))),
  snoozed_until: Type.Optional(snoozedUntil),
  ...assignment,
  priority: Type.Optional(choiceOf(conversationPriorities, named('ConversationPriority', 'How urgent it is.'))),
  handled_by: Type.Optional(choiceOf(handlers, named('ConversationHandler', 'Who answers.'))),
  ...tagChanges,
};

/** A refusal by the state of the conversation. */
export function conversationConflictExample(name: string, error: string): ErrorExample {
  return { name, code: 'conversation_conflict', body: { error, code: 'conversation_conflict' } };
}

export const staleConversation: ErrorExample = {
  name: 'changedMeanwhile',
  code: 'precondition_failed',
  body: {
    error: 'The conversation was changed meanwhile: its version is 4. Read it again.',
    code: 'precondition_failed',
  },
};
