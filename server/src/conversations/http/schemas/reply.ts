import Type, { type Static, type TObject } from 'typebox';
import type { JsonObject } from '#core/json';
import { pascalCase } from '#http/openapi-components';
import { choiceOf, named, text, uuid, VARIANTS } from '#http/schemas/fields';
import type { Variants } from '#http/validation/variants';
import { type SendMessageBody, sendSchemas } from '#messages/http/schemas/send-request';

const MAX_NOTE = 10_000;
const MAX_MENTIONS = 20;

/** What a reply carries beside its message. */
const guards = {
  force: Type.Optional(
    Type.Boolean({ default: false, description: 'Also while another agent is writing in the conversation.' }),
  ),
  if_last_message_id: Type.Optional(
    uuid('Only if this is still the newest message: nobody has answered and nothing came since.'),
  ),
};

/** Its recipient and number are those of the conversation, and it is no part of a campaign. */
const NOT_IN_A_REPLY = ['to', 'phone_number_id', 'campaign_name'];

/** The schema of a message to send, as a reply. */
function asReply(type: string, schema: TObject): object {
  const { properties, required, ...rest } = schema as TObject & {
    readonly required?: readonly string[];
    readonly description?: string;
  };
  const kept = Object.entries(properties).filter(([name]) => !NOT_IN_A_REPLY.includes(name));
  return {
    ...rest,
    ...named(`Reply${pascalCase(type)}`, String(rest.description)),
    properties: { ...Object.fromEntries(kept), ...guards },
    required: (required ?? []).filter((name) => !NOT_IN_A_REPLY.includes(name)),
  };
}

export const WriteNote = Type.Object(
  {
    type: choiceOf(['note'], 'A private note.'),
    body: text(MAX_NOTE, 'What it says.'),
    mentions: Type.Optional(
      Type.Array(uuid('An agent.'), { maxItems: MAX_MENTIONS, description: 'Agents who are called.' }),
    ),
  },
  { additionalProperties: false, ...named('WriteNote', 'A private note for agents.') },
);
export type WriteNoteBody = Static<typeof WriteNote>;

const replySchemas = Object.fromEntries(
  Object.entries(sendSchemas).map(([type, schema]) => [type, asReply(type, schema as unknown as TObject)]),
);
const schemas: Readonly<Record<string, object>> = { ...replySchemas, note: WriteNote };

/** For a type that does not exist. */
const Unknown = Type.Object({ type: choiceOf(Object.keys(schemas), 'Kind of message, or note.') });

/** A body of `POST /v1/messages` without its recipient. */
export type ReplyMessageBody = SendMessageBody & { readonly force?: boolean; readonly if_last_message_id?: string };
export type ReplyBody = Omit<ReplyMessageBody, 'to'> | WriteNoteBody;

/** What `POST /v1/conversations/{id}/messages` takes: a message without its recipient, or a note. */
export const ReplyBody = Type.Unsafe<ReplyBody>({
  oneOf: Object.values(schemas),
  description: 'A message to the customer, or a note; type tells which, and is text when it is absent.',
  [VARIANTS]: { property: 'type', fallback: 'text', schemas, otherwise: Unknown } satisfies Variants,
});

export function isNote(body: ReplyBody): body is WriteNoteBody {
  return (body as { readonly type?: string }).type === 'note';
}

export const replyExamples: Readonly<Record<string, { readonly summary: string; readonly value: JsonObject }>> = {
  text: { summary: 'An answer', value: { body: 'It leaves today, before noon.' } },
  template: {
    summary: 'A template, which may be sent at any time',
    value: { type: 'template', template: { name: 'order_ready', language: 'en_US' } },
  },
  force: { summary: 'Also while another agent writes', value: { body: 'It has left.', force: true } },
  note: { summary: 'A private note', value: { type: 'note', body: 'She moved last week.', mentions: [] } },
};
