import Type, { type TSchema } from 'typebox';
import { conversationPriorities, MAX_TAG_LENGTH } from '#conversations/domain/conversation';
import { MAX_SUGGESTION } from '#conversations/domain/suggestion';
import type { JsonValue } from '#core/json';
import { anyObject, choiceOf, named, nullableUuid, text, uuid } from '#http/schemas/fields';
import { fields, only } from '#messages/http/schemas/content/parts';
import { MAX_SNOOZE_S, ruleStatuses } from '#rules/domain/rule';

/** As many as one action may name. */
const MAX_TAGS = 20;
const MAX_NOTE = 4_000;
const MAX_KEY = 64;

const someTags = Type.Optional(
  Type.Array(text(MAX_TAG_LENGTH, 'A tag.'), {
    minItems: 1,
    maxItems: MAX_TAGS,
    description: 'Tags of the conversation.',
  }),
);
const anId = (description: string) => Type.Optional(nullableUuid(description));

/** The actions beside replies, which are checked as the sends that they become. */
export const actionSchemas: Readonly<Record<string, TSchema>> = {
  tag: fields({ action: only('tag'), add: someTags, remove: someTags }, 'Changes tags of the conversation.'),
  assign: fields(
    { action: only('assign'), agent_id: anId('The agent. Null: none.'), team_id: anId('The team. Null: none.') },
    'Assigns the conversation to an agent, a team or both.',
  ),
  state: fields(
    {
      action: only('state'),
      status: Type.Optional(choiceOf(ruleStatuses, 'The new status of the conversation.')),
      priority: Type.Optional(choiceOf(conversationPriorities, named('ConversationPriority', 'Its new priority.'))),
    },
    'Changes the status or priority of the conversation.',
  ),
  note: fields({ action: only('note'), body: text(MAX_NOTE, 'The note.') }, 'Adds a note for agents.'),
  suggest: fields(
    { action: only('suggest'), body: text(MAX_SUGGESTION, 'The text of the answer.') },
    'Suggests an answer to agents, who take it over as a draft or discard it.',
  ),
  snooze: fields(
    {
      action: only('snooze'),
      for_s: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: MAX_SNOOZE_S,
          description: 'Seconds. If omitted, until the customer writes.',
        }),
      ),
    },
    'Snoozes the conversation.',
  ),
  set_attribute: fields(
    {
      action: only('set_attribute'),
      key: text(MAX_KEY, 'Key of an attribute defined at /v1/contact-attributes.'),
      value: Type.Unsafe<JsonValue>({ description: 'A value of its type. Null removes the value.' }),
    },
    'Sets an attribute of the contact.',
  ),
  opt_out: fields({ action: only('opt_out') }, 'Opts the contact out of marketing; the message is the proof.'),
  webhook: fields(
    {
      action: only('webhook'),
      endpoint_id: uuid('A webhook endpoint of yours.'),
      data: Type.Optional(anyObject('Additional data to send.')),
    },
    'Sends the event rule.fired to one webhook endpoint.',
  ),
  handoff: fields(
    { action: only('handoff') },
    'Hands the conversation over to people: it is opened, and rules stop replying.',
  ),
  stop: fields({ action: only('stop') }, 'Stops the evaluation of further rules.'),
};

export const actionNames = ['reply', ...Object.keys(actionSchemas)] as const;

/** What a reply may be: a reaction answers nothing. */
export const replyTypes = [
  'text',
  'template',
  'image',
  'video',
  'audio',
  'document',
  'sticker',
  'location',
  'contacts',
  'interactive',
] as const;

/** What the documentation shows of an action; the exact fields follow from its name, and are checked by it. */
export const Action = Type.Object(
  { action: choiceOf(actionNames, 'Kind of action.') },
  {
    additionalProperties: true,
    ...named(
      'RuleAction',
      'reply: a message as in POST /v1/messages, without to, phone_number_id and sending options (type, body, media, template, interactive, …). tag: add, remove. assign: agent_id, team_id. state: status (open, pending, resolved), priority. note: body. snooze: for_s, or until the customer writes. set_attribute: key, value of a contact attribute. opt_out: denies marketing consent. webhook: endpoint_id, data; the endpoint gets the event rule.fired. handoff: hands over to people; rules stop replying. stop: no further rules are evaluated.',
    ),
  },
);
