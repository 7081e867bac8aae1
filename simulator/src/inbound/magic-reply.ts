import { recipientUserId } from '../callbacks/envelope.ts';
import type { SentMessage } from '../callbacks/updates.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import type { MagicReply } from '../magic.ts';
import type { Simulation } from '../simulation.ts';
import { mediaMessage } from './media-message.ts';
import { tinyPhoto } from './photo.ts';
import { receive } from './receive.ts';

const ALBUM_SIZE = 10;
// After the read status, as a person would.
const THINKING_MS = 50;

/** The magic recipient answers the message that was sent to it. */
export function scheduleReply(sim: Simulation, sent: SentMessage, reply: MagicReply, request: JsonObject): void {
  if (sim.business.isBlocked(sent.number.phoneNumberId, sent.to, recipientUserId(sent))) return;
  const dueMs = sim.clock.now() + sim.settings.readMs + THINKING_MS;
  for (const message of replyMessages(sim, sent, reply, request)) {
    const { update } = receive(sim, {
      number: sent.number,
      from: reply === 'hidden_phone' ? null : sent.to,
      userId: recipientUserId(sent),
      name: null,
      message: { timestamp: String(Math.floor(dueMs / 1000)), ...message },
      contacts: null,
    });
    sim.callbacks.schedule(dueMs, update);
  }
}

function replyMessages(
  sim: Simulation,
  sent: SentMessage,
  reply: MagicReply,
  request: JsonObject,
): readonly JsonObject[] {
  switch (reply) {
    case 'stop':
      return [text('STOP')];
    case 'hidden_phone':
      return [text('Hello from a customer without a phone number')];
    case 'image':
      return [image(sim, sent, 'A photo')];
    case 'album':
      return Array.from({ length: ALBUM_SIZE }, (_, i) => image(sim, sent, `Photo ${i + 1} of ${ALBUM_SIZE}`));
    case 'first_button': {
      const click = firstButton(request);
      const context = { from: sent.number.displayPhoneNumber, id: sent.id };
      return click === null ? [] : [{ context, ...click }];
    }
  }
}

function text(body: string): JsonObject {
  return { text: { body }, type: 'text' };
}

function image(sim: Simulation, sent: SentMessage, caption: string): JsonObject {
  const bytes = tinyPhoto(caption);
  return mediaMessage(sim, sent.number, { mimeType: 'image/jpeg', bytes, caption, fileName: null, voice: false });
}

/** The tap on the first thing that can be tapped; null when the message has nothing of the kind. */
function firstButton(request: JsonObject): JsonObject | null {
  const { interactive, template } = request;
  if (isJsonObject(interactive)) return interactiveClick(interactive);
  if (isJsonObject(template)) return templateClick(template);
  return null;
}

function interactiveClick(interactive: JsonObject): JsonObject | null {
  const action = isJsonObject(interactive.action) ? interactive.action : {};
  if (interactive.type === 'button') {
    const reply = objectAt(action.buttons, 0)?.reply;
    return reply === undefined
      ? null
      : { type: 'interactive', interactive: { type: 'button_reply', button_reply: reply } };
  }
  if (interactive.type !== 'list') return null;
  const row = objectAt(objectAt(action.sections, 0)?.rows, 0);
  return row === null ? null : { type: 'interactive', interactive: { type: 'list_reply', list_reply: row } };
}

function templateClick(template: JsonObject): JsonObject | null {
  const components: readonly unknown[] = Array.isArray(template.components) ? template.components : [];
  const button = components.find(
    (component) => isJsonObject(component) && String(component.sub_type).toLowerCase() === 'quick_reply',
  );
  if (!isJsonObject(button)) return null;
  const payload = objectAt(button.parameters, 0)?.payload;
  const label = typeof payload === 'string' ? payload : 'Button 1';
  return { type: 'button', button: { payload: label, text: label } };
}

function objectAt(list: unknown, position: number): JsonObject | null {
  const item: unknown = Array.isArray(list) ? list[position] : undefined;
  return isJsonObject(item) ? item : null;
}
