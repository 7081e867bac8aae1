import { noticeSentence } from '#accounts/domain/account-notice';
import { interpretCallback } from '#inbound/domain/callback';
import type { CallbackItem } from '#inbound/domain/callback-items';
import { isUnansweredCall } from '#messages/domain/call';
import { type CallbackKind, callbackKinds } from './callback-kinds.ts';

const HEAD = `<!-- Written by npm run gen from server/src/bin/callbacks/callback-kinds.ts, by what the reader of callbacks makes of each. Do not edit. -->

# Callbacks

This page says what becomes of each kind of report that the network sends. Every callback is stored as it came before it is answered, and nothing
in it is dropped. What nothing reads, and what is about an account, a number or a template that is not here, becomes an unhandled item:
\`postrider callbacks leftovers\` counts and shows them, and \`postrider callbacks replay\` processes their callbacks again. What nothing reads is
also the event \`account.notice\` of the tenant that has the number, or, if it names none, of the only tenant that has the account.

| Field | Kind | What becomes of it |
| --- | --- | --- |
`;

/** The page docs/callbacks.md: every kind of callback. Markdown. */
export function callbackPage(): string {
  return (
    HEAD +
    callbackKinds
      .map((kind) => `| \`${kind.field}\` | ${kind.kind} | ${readExample(kind).map(fateOf).join(' ')} |\n`)
      .join('')
  );
}

/** What the reader of callbacks makes of a report. */
export function readExample({ field, value }: CallbackKind): readonly CallbackItem[] {
  const entry = [{ id: '102290129340398', time: 1_900_000_000, changes: [{ field, value }] }];
  return interpretCallback({ object: 'whatsapp_business_account', entry });
}

function fateOf(item: CallbackItem): string {
  switch (item.kind) {
    case 'inbound':
      return fateOfMessage(item);
    case 'call':
      return fateOfCall(item);
    case 'echo':
      return `A sent message of type \`${item.content.type}\` in the conversation, written on the phone of the business; event \`message.sent\`. It ends the wait.`;
    case 'echo_change':
      return `The message from the phone that it names changes; event \`message.${item.change.edit === null ? 'deleted' : 'edited'}\`.`;
    case 'past':
      return fateOfPast(item);
    case 'book':
      return item.name === null
        ? 'Nothing changes: the contact stays, and so does its name.'
        : 'The contact and its name, unless somebody here named it; event `contact.created` or `contact.updated`.';
    case 'change':
      return `The message that it names changes; event \`message.${item.change.edit === null ? 'deleted' : 'edited'}\`.`;
    case 'status':
      return `The delivery of the message; event \`message.${item.status}\`.`;
    case 'template':
      return `The template; event \`template.${templateEvents[item.change.about]}\`.`;
    case 'number':
      return `The sending numbers; ${numberEventsOf(item)}.`;
    case 'notice':
      return `Event \`account.notice\`: "${noticeSentence(item)}"`;
    case 'preference':
      return `The consent of the contact for this number; event \`contact.opted_${item.marketing === 'denied' ? 'out' : 'in'}\`.`;
    case 'identity':
      return `${NEW_NAMES}; event \`contact.updated\`.`;
    case 'other':
      return `Unhandled item \`${item.name}\`.`;
    case 'ignored':
      return `Unhandled item \`malformed\`: ${item.reason}`;
    default: {
      const never: never = item;
      return never;
    }
  }
}

function numberEventsOf(item: Extract<CallbackItem, { kind: 'number' }>): string {
  const types = [
    item.quality === null ? [] : ['quality_changed'],
    item.messagingLimit === null && item.throughput === null ? [] : ['limit_changed'],
    item.networkStatus === null ? [] : ['status_changed'],
  ].flat();
  return `${types.length === 1 ? 'event' : 'events'} ${types.map((type) => `\`number.${type}\``).join(', ')}`;
}

const templateEvents = {
  status: 'status_changed',
  quality: 'quality_changed',
  category: 'category_changed',
  category_announced: 'category_changed',
  components: 'updated',
} as const;

const NEW_NAMES = 'The contact is reached by its new number or user ID, and merged with the contact that had it';

function fateOfCall({ call }: Extract<CallbackItem, { kind: 'call' }>): string {
  const event = call.ended_at === null ? 'started' : 'ended';
  const rule =
    call.direction === 'user_initiated' ? 'in the conversation' : 'in the latest conversation, if there is one';
  const window = call.direction === 'user_initiated' ? 'It opens the window.' : 'It does not open the window.';
  const waits = isUnansweredCall(call) ? ' It is unread.' : '';
  return `A call that is \`${call.state}\`, ${rule}; event \`call.${event}\`, or \`call.updated\` if the call is known. ${window}${waits}`;
}

function fateOfMessage(item: Extract<CallbackItem, { kind: 'inbound' }>): string {
  const { type, opensWindow, groupId, identityChange } = item;
  const place =
    groupId !== null
      ? 'in no conversation'
      : opensWindow
        ? 'in the conversation'
        : 'in the latest conversation, if there is one';
  const window = opensWindow ? 'It opens the window.' : 'It does not open the window.';
  const names = identityChange === undefined ? '' : ` ${NEW_NAMES}.`;
  return `A message of type \`${type}\` ${place}; event \`message.received\`. ${window}${names}`;
}

function fateOfPast({ isEmpty, said }: Extract<CallbackItem, { kind: 'past' }>): string {
  const type = said.direction === 'inbound' ? said.type : said.content.type;
  const what = said.direction === 'inbound' ? 'of the customer' : 'of the business';
  const file = isEmpty ? ' Its file is reported later, and takes its place.' : '';
  return `A message ${what} of type \`${type}\` in the first conversation, at its own time; no event, nothing unread, no wait.${file}`;
}
