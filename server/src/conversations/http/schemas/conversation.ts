import Type from 'typebox';
import { contactExampleId } from '#contacts/http/schemas/contact';
import {
  conversationPriorities,
  conversationStatuses,
  handlers,
  MAX_CONVERSATION_TAGS,
  MAX_TAG_LENGTH,
} from '#conversations/domain/conversation';
import { OPEN_WINDOW_TYPES } from '#conversations/domain/conversation-events';
import { actorKinds } from '#core/caller/actor';
import type { JsonObject } from '#core/json';
import type { ErrorExample } from '#http/operation';
import { errorExample } from '#http/schemas/errors';
import { fieldChanges } from '#http/schemas/events/description';
import {
  choiceOf,
  named,
  nullableObject,
  nullableText,
  nullableTime,
  nullableUuid,
  text,
  time,
  uuid,
  withExample,
} from '#http/schemas/fields';

export const conversationExampleId = '0190a6f2-8c20-7a11-8f00-0a1b2c3d4e5f';
export const assigneeExampleId = '0190a6f2-9a00-7b00-8c00-0a1b2c3d4e5f';

const Window = Type.Object(
  {
    state: choiceOf(['open', 'closed'], 'Open for 24 hours after each message from the customer.'),
    expires_at: nullableTime('When it closes or closed. Null if the customer never wrote.'),
    free_until: nullableTime(
      'Until when messages are free, because the customer came from an advertisement and was answered within a day.',
    ),
    allowed: Type.Array(Type.String(), { description: 'Message types that may be sent now.' }),
  },
  named('MessagingWindow', 'What may be sent to the customer now.'),
);

const Lease = nullableObject(named('WritingLease', 'Agent who is writing now. Null: no one.'), {
  agent_id: uuid('The agent.'),
  until: time('When it ends unless renewed.'),
});

const LastMessage = nullableObject(named('LastMessage', 'The newest message.'), {
  id: uuid(named('MessageId', 'ID of the message.')),
  direction: choiceOf(['inbound', 'outbound'], 'Direction of the message.'),
  type: Type.String({ description: 'Kind of message.' }),
  preview: nullableText('Start of its text.'),
  at: time('When it was sent.'),
});

const Contact = Type.Object(
  {
    id: uuid('ID of the contact.'),
    name: nullableText('Name.'),
    phone: nullableText('Number, digits only.'),
  },
  named('ConversationContact', 'The customer.'),
);

/** What an event of a conversation carries too. */
export const ConversationState = Type.Object(
  {
    id: uuid('ID of the conversation.'),
    number: Type.Integer({ description: 'Number shown to people: counts your conversations from 1.' }),
    contact_id: uuid('ID of the contact.'),
    phone_number_id: Type.String({ description: "The network's ID of the business number." }),
    status: choiceOf(
      conversationStatuses,
      named('ConversationStatus', 'Status; docs/state-machines.md shows the possible transitions.'),
    ),
    assignee_id: nullableUuid('Assigned agent.'),
    team_id: nullableUuid('Assigned team.'),
    priority: choiceOf(conversationPriorities, named('ConversationPriority', 'Priority.')),
    tags: Type.Array(Type.String(), { description: 'Tags, in the order in which they were added.' }),
    handled_by: choiceOf(handlers, named('ConversationHandler', 'Who answers: a chatbot, a person, or no one yet.')),
    unread_count: Type.Integer({ description: 'Customer messages since it was last marked as read.' }),
    waiting_since: nullableTime('Time of the first unanswered message. Null if the customer is not waiting.'),
    snoozed_until: nullableTime('When the snooze ends. Null if it ends when the customer writes, or is not snoozed.'),
    window: Window,
    lease: Lease,
    last_message: LastMessage,
    first_response_at: nullableTime('When a person first replied.'),
    last_inbound_at: nullableTime('When the customer last wrote, as reported by the network.'),
    last_outbound_at: nullableTime('When the business last wrote.'),
    opened_at: time('When it was opened or last reopened.'),
    resolved_at: nullableTime('When it was resolved.'),
    reopened_count: Type.Integer({ description: 'Times that it was reopened.' }),
    version: Type.Integer({ description: 'Increases with each change, but not with messages. Used as the ETag.' }),
    created_at: time('When it started.'),
    updated_at: time('When it last changed or a message was added.'),
  },
  named('ConversationState', 'The conversation, without its contact.'),
);

export const ConversationView = Type.Intersect(
  [ConversationState, Type.Object({ contact: Contact })],
  named(
    'Conversation',
    'A conversation between a customer and one of your numbers, from the first message until it is resolved.',
  ),
);

/** As an event shows it. */
export const conversationData: JsonObject = {
  id: conversationExampleId,
  number: 42,
  contact_id: contactExampleId,
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
    allowed: [...OPEN_WINDOW_TYPES],
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
  contact: { id: contactExampleId, name: 'Ada Obi', phone: '447700900123' },
};

export const ConversationParams = Type.Object({
  id: withExample(uuid('ID of the conversation.'), conversationExampleId),
});

export const ActorView = Type.Object(
  {
    kind: choiceOf(actorKinds, "Kind of actor. system: the service itself, or a customer's message."),
    id: nullableText('ID of the agent, key or rule. Null for the service itself.'),
  },
  named('Actor', 'Who did it.'),
);

export const changesField = {
  changes: fieldChanges,
  actor: ActorView,
  cause: Type.String({
    description: 'Cause: api, bulk, bulk_undo, inbound, reply, snooze_over, idle, window_closing, rule, assignment.',
  }),
};

export const NoteView = Type.Object(
  {
    id: uuid('ID of the note.'),
    conversation_id: uuid('ID of the conversation.'),
    type: choiceOf(['note'], 'A private note.'),
    body: Type.String({ description: 'Text of the note.' }),
    mentions: Type.Array(uuid('An agent.'), { description: 'Agents who are mentioned.' }),
    author: ActorView,
    created_at: time('When it was written.'),
  },
  named('Note', 'A note between agents. The customer never sees it.'),
);
export const noteExample: JsonObject = {
  id: '0190a6f4-1111-7222-8333-444455556666',
  conversation_id: conversationExampleId,
  type: 'note',
  body: 'She moved last week; the address on file is the old one.',
  mentions: [],
  author: { kind: 'agent', id: assigneeExampleId },
  created_at: '2030-01-01T09:02:00.000Z',
};

export const assignment = {
  assignee_id: nullableUuid(named('NewAssignee', 'Agent to assign the conversation to. Null unassigns it.')),
  team_id: nullableUuid(named('NewTeam', 'Team to assign the conversation to. Null removes the team.')),
};

export const snoozedUntil = nullableTime(
  named('SnoozedUntil', 'When the snooze ends. Null or omitted: when the customer writes.'),
);

function tagList(description: string) {
  return Type.Array(text(MAX_TAG_LENGTH, 'A tag.'), {
    maxItems: MAX_CONVERSATION_TAGS,
    ...named('ConversationTags', description),
  });
}

export const tagChanges = { add_tags: tagList('Tags to add.'), remove_tags: tagList('Tags to remove.') };

/** What a request can change in a conversation. */
export const changeFields = {
  status: choiceOf(conversationStatuses, named('ConversationStatus', 'New status.')),
  snoozed_until: snoozedUntil,
  ...assignment,
  priority: choiceOf(conversationPriorities, named('ConversationPriority', 'Priority.')),
  handled_by: choiceOf(handlers, named('ConversationHandler', 'Who answers.')),
  ...tagChanges,
};

/** A refusal by the state of the conversation. */
export function conversationConflictExample(name: string, error: string): ErrorExample {
  return errorExample(name, 'conversation_conflict', error);
}
