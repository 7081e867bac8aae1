import Type from 'typebox';
import { CONVERSATION_MEASURES, type ConversationMeasure, TIMED } from '#conversations/domain/conversation-tally';
import { named, nullableInteger, nullableText, uuid, viewOf } from '#http/schemas/fields';

/** A field for each measure, with what it means. */
export function measureFields<M extends string, T>(
  meanings: Readonly<Record<M, string>>,
  make: (meaning: string) => T,
): Record<M, T> {
  const fields = Object.entries<string>(meanings).map(([measure, meaning]) => [measure, make(meaning)]);
  return Object.fromEntries(fields) as Record<M, T>;
}

const MEANINGS: Readonly<Record<ConversationMeasure, string>> = {
  opened: 'Conversations opened.',
  reopened: 'Times that resolved conversations were reopened.',
  resolved: 'Times that conversations were resolved.',
  assigned: 'Times that conversations were assigned to agents.',
  replies: 'Replies by people in conversations.',
};

const conversationCountFields = measureFields(MEANINGS, (description) => Type.Integer({ description }));

/** In a series of messages: null when it is narrowed down to what no conversation has. */
export const conversationPointFields = measureFields(MEANINGS, (description) => nullableInteger(description));

const seconds = (description: string) => Type.Unsafe<number | null>({ type: ['number', 'null'], description });

function times(description: string) {
  return viewOf(named('DurationSummary', description), {
    count: Type.Integer({ description: 'Number of values.' }),
    p50_s: seconds('Median in seconds, within 5 %. Null without values.'),
    p90_s: seconds('90th percentile, in seconds.'),
    p99_s: seconds('99th percentile, in seconds.'),
    business_p50_s: seconds('Median of the time within the business hours in effect at that time.'),
    business_p90_s: seconds('90th percentile, within business hours.'),
    business_p99_s: seconds('99th percentile, within business hours.'),
  });
}

const timeFields = {
  first_response: times(
    "Time from the start of the customer's wait to the first reply by a person in the conversation.",
  ),
  reply: times("Time from the start of the customer's wait to each reply by a person."),
  resolution: times('Time from when a conversation was opened or reopened to its resolution.'),
};

const conversationFigureFields = { ...conversationCountFields, ...timeFields };

export const ConversationsObject = Type.Unsafe({
  ...Type.Object(conversationFigureFields),
  type: ['object', 'null'],
  ...named('ConversationMetrics', 'Figures for conversations. Null in reports of one type, template or campaign.'),
});

const TIME_COLUMNS = Object.keys(timeFields.reply.properties);

export const conversationCountColumns: readonly string[] = CONVERSATION_MEASURES;
/** As `flattened` names them. */
export const timeColumns: readonly string[] = TIMED.flatMap((timed) => TIME_COLUMNS.map((name) => `${timed}_${name}`));
export const conversationColumns: readonly string[] = [...conversationCountColumns, ...timeColumns];

export const ResponseTimesRow = viewOf(named('ResponseTimesRow', 'Response times of one key.'), {
  key: Type.String({ description: 'The number, agent, team, tag or handler; empty in an ungrouped report.' }),
  name: nullableText('Name of the agent or team. Null for other keys, or if it was deleted.'),
  ...conversationFigureFields,
});

export const AgentRow = viewOf(named('AgentMetrics', 'Metrics of an agent.'), {
  agent_id: uuid('The agent.'),
  name: nullableText('Null if the agent was deleted.'),
  assigned: Type.Integer({ description: 'Times that a conversation was assigned to the agent.' }),
  replies: Type.Integer({ description: "Replies by the agent, or by a key in the agent's conversations." }),
  written: Type.Integer({ description: 'Messages that the agent wrote, in conversations and elsewhere.' }),
  resolved: Type.Integer({ description: 'Times that a conversation of the agent was resolved.' }),
  ...timeFields,
  open_conversations: nullableInteger(
    "Conversations that count toward the agent's capacity now. Null if the agent was deleted.",
  ),
  max_open: nullableInteger('Maximum number of conversations assigned to the agent at the same time.'),
});
