import Type from 'typebox';
import { CONVERSATION_MEASURES, type ConversationMeasure, TIMED } from '#conversations/domain/conversation-tally';
import { named } from '#http/schemas/fields';

const MEANINGS: Readonly<Record<ConversationMeasure, string>> = {
  opened: 'Conversations that were opened in this time.',
  reopened: 'How often resolved ones were opened again.',
  resolved: 'How often conversations were resolved.',
  assigned: 'How often one was given to an agent.',
  replies: 'Answers of persons in conversations.',
};

const counts = <T>(make: (description: string) => T): Record<ConversationMeasure, T> => ({
  opened: make(MEANINGS.opened),
  reopened: make(MEANINGS.reopened),
  resolved: make(MEANINGS.resolved),
  assigned: make(MEANINGS.assigned),
  replies: make(MEANINGS.replies),
});

export const conversationCountFields = counts((description) => Type.Integer({ description }));

/** In a series of messages: null when it is narrowed down to what no conversation has. */
export const conversationPointFields = counts((description) =>
  Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: `${description} Null in a report of one type, template or campaign.`,
  }),
);

const seconds = (description: string) => Type.Unsafe<number | null>({ type: ['number', 'null'], description });

function times(description: string) {
  return Type.Object(
    {
      count: Type.Integer({ description: 'How many of them there were.' }),
      p50_s: seconds('Half of them took at most so many seconds, within 5 %; null without any.'),
      p90_s: seconds('Nine in ten took at most so many.'),
      p99_s: seconds('99 in 100 took at most so many.'),
      business_p50_s: seconds('The same of the time within business hours, by the hours that held then.'),
      business_p90_s: seconds('Nine in ten, within business hours.'),
      business_p99_s: seconds('99 in 100, within business hours.'),
    },
    named('DurationSummary', description),
  );
}

export const timeFields = {
  first_response: times('From when the customer began to wait to the first answer of a person in the conversation.'),
  reply: times('From when the customer began to wait to the answer of a person, each time.'),
  resolution: times('From when the conversation was opened, or opened again, to its resolution.'),
};

export const conversationFigureFields = { ...conversationCountFields, ...timeFields };

export const ConversationsObject = Type.Unsafe({
  ...Type.Object(conversationFigureFields),
  type: ['object', 'null'],
  ...named(
    'ConversationMetrics',
    'Conversations, where it happened; null in a report of one type, template or campaign.',
  ),
});

const TIME_COLUMNS = Object.keys(timeFields.reply.properties);

export const conversationCountColumns: readonly string[] = CONVERSATION_MEASURES;
/** As `flattened` names them. */
export const timeColumns: readonly string[] = TIMED.flatMap((timed) => TIME_COLUMNS.map((name) => `${timed}_${name}`));
export const conversationColumns: readonly string[] = [...conversationCountColumns, ...timeColumns];

export const noTimesExample = { count: 0, ...Object.fromEntries(TIME_COLUMNS.slice(1).map((name) => [name, null])) };

export const ResponseTimesRow = Type.Object(
  {
    key: Type.String({ description: 'The number, agent, team, tag or handler; empty in a report of everything.' }),
    name: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'What an agent or a team is called; null: it is something else, or was removed.',
    }),
    ...conversationFigureFields,
  },
  named('ResponseTimesRow', 'Conversations of one key.'),
);

export const AgentRow = Type.Object(
  {
    agent_id: Type.String({ format: 'uuid', description: 'The agent.' }),
    name: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Null: the agent was removed.' }),
    assigned: Type.Integer({ description: 'How often a conversation was given to the agent.' }),
    replies: Type.Integer({ description: 'Answers that the agent wrote, or a key in conversations of the agent.' }),
    resolved: Type.Integer({ description: 'How often a conversation of the agent was resolved.' }),
    ...timeFields,
    open_conversations: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Conversations that take a place of the agent at this moment; null: the agent was removed.',
    }),
    max_open: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'How many may be given to the agent at a time.',
    }),
  },
  named('AgentMetrics', 'What one agent did.'),
);
