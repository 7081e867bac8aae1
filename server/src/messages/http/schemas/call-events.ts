import type { JsonObject } from '#core/json';
import type { EventType } from '#events/domain/event';
import type { EventDescription } from '#http/schemas/events/description';
import { inboundExample } from '#http/schemas/examples';
import { type Call, callContent, summarizeCall } from '#messages/domain/call';
import { InboundMessageView } from './message.ts';

const ringing: Call = {
  direction: 'user_initiated',
  state: 'ringing',
  started_at: '2030-01-01T09:05:00.000Z',
  answered_at: null,
  ended_at: null,
  duration_seconds: null,
  error: null,
};
const answered: Call = { ...ringing, state: 'answered', answered_at: '2030-01-01T09:05:04.000Z' };
const ended: Call = { ...answered, ended_at: '2030-01-01T09:07:17.000Z', duration_seconds: 133 };
const { text: _text, ...entry } = inboundExample;

function described(call: Call): EventDescription {
  const example: JsonObject = {
    ...entry,
    type: 'call',
    body: null,
    summary: summarizeCall(call),
    network_message_id: 'wacid.HBgMNDQ3NzAwOTAwMTI0',
    reply_to: null,
    quoted: null,
    call: callContent(call),
  };
  return { data: InboundMessageView, example };
}

/** What events of calls carry: the entry of the conversation as it is now. */
export const callEvents: Partial<Record<EventType, EventDescription>> = {
  'call.started': described(ringing),
  'call.updated': described(answered),
  'call.ended': described(ended),
};
