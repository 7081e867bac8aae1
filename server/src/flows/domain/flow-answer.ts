import { isJsonObject, type JsonObject, type JsonValue } from '#core/json';
import { csvLine } from '#core/text/csv';
import { readFlowResponse } from '#messages/domain/flow-response';

/** What a customer has entered into a flow: an inbound message that answers one of ours. */
export interface FlowAnswer {
  readonly messageId: string;
  /** The message that the flow was sent with. */
  readonly sentMessageId: string;
  readonly phoneNumberId: string;
  readonly fromPhone: string | null;
  readonly fromUserId: string | null;
  readonly profileName: string | null;
  readonly contactId: string | null;
  readonly conversationId: string | null;
  readonly content: JsonObject;
  readonly createdMs: number;
}

/** An answer as the API shows it. */
export function flowAnswerJson(answer: FlowAnswer): JsonObject {
  const { flowToken, data } = responseOf(answer);
  return {
    message_id: answer.messageId,
    sent_message_id: answer.sentMessageId,
    received_at: new Date(answer.createdMs).toISOString(),
    phone_number_id: answer.phoneNumberId,
    from: answer.fromPhone,
    from_user_id: answer.fromUserId,
    profile_name: answer.profileName,
    contact_id: answer.contactId,
    conversation_id: answer.conversationId,
    flow_token: flowToken,
    data,
  };
}

const COLUMNS = [
  ...['received_at', 'message_id', 'sent_message_id', 'phone_number_id', 'from', 'from_user_id', 'profile_name'],
  ...['contact_id', 'conversation_id', 'flow_token'],
] as const;
/** Where an answer stands that is not an object, and has no fields. */
const WHOLE = 'data';

/** More fields than a form has; the table stays one that a spreadsheet opens. */
export const MAX_ANSWER_COLUMNS = 500;

/** Names of the columns of the fields that these answers have, in their order. */
export function answerColumns(answers: readonly FlowAnswer[]): readonly string[] {
  return answers.flatMap((answer) => Object.keys(fieldsOf(answer)));
}

/** The first line of a table of answers. */
export function answerHeader(fields: readonly string[]): string {
  return csvLine([...COLUMNS, ...fields]);
}

/** An answer as a line of that table. */
export function answerRow(answer: FlowAnswer, fields: readonly string[]): string {
  const shown = flowAnswerJson(answer);
  const entered = fieldsOf(answer);
  return csvLine([...COLUMNS.map((name) => cellOf(shown[name])), ...fields.map((name) => cellOf(entered[name]))]);
}

/** By the name of their column: a field called like a column of ours stays apart from it. */
function fieldsOf(answer: FlowAnswer): JsonObject {
  const { data } = responseOf(answer);
  if (!isJsonObject(data)) return data === null ? {} : { [WHOLE]: data };
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [`${WHOLE}.${name}`, value]));
}

function responseOf({ content }: FlowAnswer) {
  return readFlowResponse('interactive', content) ?? { flowToken: null, data: null };
}

function cellOf(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
