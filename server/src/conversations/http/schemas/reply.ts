import Type, { type Static, type TObject, type TProperties } from 'typebox';
import type { JsonObject } from '#core/json';
import { pascalCase } from '#http/openapi-components';
import { choiceOf, named, optional, strictObject, text, uuid, VARIANTS } from '#http/schemas/fields';
import type { Variants } from '#http/validation/variants';
import { type SendMessageBody, sendSchemas } from '#messages/http/schemas/send-request';

const MAX_NOTE = 10_000;
const MAX_MENTIONS = 20;

/** What a reply carries beside its message. */
const guards = optional({
  force: Type.Boolean({
    default: false,
    ...named('ReplyForce', 'Sends even if another agent is writing in the conversation.'),
  }),
  if_last_message_id: uuid(
    named(
      'ExpectedLastMessage',
      'Refuses the message unless this is still the newest one: no message or reply has been added since.',
    ),
  ),
  canned_reply_id: uuid(
    named(
      'UsedCannedReply',
      'The canned reply it was written with, which counts as used. One that is gone is ignored.',
    ),
  ),
});

/** Its recipient and number are those of the conversation, and it is no part of a campaign. */
const NOT_IN_A_REPLY = ['to', 'phone_number_id', 'campaign_name'];

/** The schema of a message to send, without what the conversation says. */
function asPartOf(name: string, schema: TObject, extra: TProperties): object {
  const { properties, required, ...rest } = schema as TObject & {
    readonly required?: readonly string[];
    readonly description?: string;
  };
  const kept = Object.entries(properties).filter(([name]) => !NOT_IN_A_REPLY.includes(name));
  return {
    ...rest,
    ...named(name, String(rest.description)),
    properties: { ...Object.fromEntries(kept), ...extra },
    required: (required ?? []).filter((name) => !NOT_IN_A_REPLY.includes(name)),
  };
}

export const WriteNote = strictObject(named('WriteNote', 'A private note for agents.'), {
  type: choiceOf(['note'], 'A private note.'),
  body: text(MAX_NOTE, 'Text of the note.'),
  ...optional({
    mentions: Type.Array(uuid('An agent.'), { maxItems: MAX_MENTIONS, description: 'Agents who are mentioned.' }),
  }),
});
export type WriteNoteBody = Static<typeof WriteNote>;

function allAs(prefix: string, extra: TProperties): Readonly<Record<string, object>> {
  const made = Object.entries(sendSchemas).map(([type, schema]) => {
    return [type, asPartOf(prefix + pascalCase(type), schema as unknown as TObject, extra)] as const;
  });
  return Object.fromEntries(made);
}

const replySchemas = allAs('Reply', guards);
const schemas: Readonly<Record<string, object>> = { ...replySchemas, note: WriteNote };

/** For a type that does not exist. */
const Unknown = Type.Object({ type: choiceOf(Object.keys(schemas), 'Kind of message, or note.') });

/** A body of `POST /v1/messages` without its recipient. */
export type ReplyMessageBody = SendMessageBody & {
  readonly force?: boolean;
  readonly if_last_message_id?: string;
  readonly canned_reply_id?: string;
};
export type ReplyBody = Omit<ReplyMessageBody, 'to'> | WriteNoteBody;

/** What `POST /v1/conversations/{id}/messages` takes: a message without its recipient, or a note. */
export const ReplyBody = Type.Unsafe<ReplyBody>({
  oneOf: Object.values(schemas),
  description: 'A message to the customer, or a note; type determines which. Default: text.',
  [VARIANTS]: { property: 'type', fallback: 'text', schemas, otherwise: Unknown } satisfies Variants,
});

const firstSchemas = allAs('First', {});
/** A body of `POST /v1/messages` without its recipient and its number. */
export type FirstMessageBody = Omit<SendMessageBody, 'to'>;

/** The message that begins a conversation. */
export const FirstMessage = Type.Unsafe<FirstMessageBody>({
  oneOf: Object.values(firstSchemas),
  description: 'The message; type determines which. Default: text.',
  [VARIANTS]: {
    property: 'type',
    fallback: 'text',
    schemas: firstSchemas,
    otherwise: Type.Object({ type: choiceOf(Object.keys(firstSchemas), 'Kind of message.') }),
  } satisfies Variants,
});

export function isNote(body: ReplyBody): body is WriteNoteBody {
  return (body as { readonly type?: string }).type === 'note';
}

export const replyExamples: Readonly<Record<string, { readonly summary: string; readonly value: JsonObject }>> = {
  text: { summary: 'A text reply', value: { body: 'It leaves today, before noon.' } },
  template: {
    summary: 'A template, which can be sent at any time',
    value: { type: 'template', template: { name: 'order_ready', language: 'en_US' } },
  },
  force: { summary: 'Send even if another agent is writing', value: { body: 'It has left.', force: true } },
  note: { summary: 'A private note', value: { type: 'note', body: 'She moved last week.', mentions: [] } },
};
