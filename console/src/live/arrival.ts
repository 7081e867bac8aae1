/** What a customer's message, its edits and its deletion change about its conversation: the event of the message is the only one that says so. */
import type { Conversation, InboundItem, Time } from './model.ts';

const WINDOW_MS = 24 * 3_600_000;
const PREVIEW_LENGTH = 120;
const OPEN_WINDOW_TYPES: readonly string[] = [
  'text',
  'image',
  'video',
  'audio',
  'document',
  'sticker',
  'location',
  'contacts',
  'interactive',
  'reaction',
  'template',
];

/**
 * The conversation once this message is counted. It is certain when the conversation was read before the message was
 * stored, or shows it as the newest: then nothing has to be read again.
 */
export function applyArrival(
  held: Conversation,
  item: InboundItem,
): { readonly value: Conversation; readonly isCertain: boolean } {
  if (item.opens_window === false) return { value: held, isCertain: true };
  const newest = held.last_message?.id ?? '';
  if (newest === item.id) return { value: held, isCertain: true };
  const isCertain = held.updated_at < item.received_at && held.status === 'open';
  if (!isCertain && item.id < newest) return { value: held, isCertain };
  return { value: counted(held, item), isCertain };
}

/** The conversation once a message says something else: its list shows the newest one alone. */
export function applyChangedText(held: Conversation, item: InboundItem): Conversation {
  if (held.last_message?.id !== item.id) return held;
  return { ...held, last_message: { ...held.last_message, preview: previewOf(item.body ?? item.summary ?? null) } };
}

function counted(held: Conversation, item: InboundItem): Conversation {
  const sentAt = min(item.network_timestamp, item.received_at);
  const expiresAt = new Date(Date.parse(sentAt) + WINDOW_MS).toISOString();
  return {
    ...held,
    unread_count: held.unread_count + 1,
    waiting_since: held.waiting_since ?? sentAt,
    last_inbound_at: max(held.last_inbound_at ?? '', sentAt),
    window: {
      ...held.window,
      state: 'open',
      expires_at: max(held.window.expires_at ?? '', expiresAt),
      allowed: OPEN_WINDOW_TYPES,
    },
    last_message: {
      id: item.id,
      direction: 'inbound',
      type: item.type,
      preview: previewOf(item.body ?? item.summary ?? null),
      at: max(held.last_message?.at ?? '', sentAt),
    },
    // It is at least this: what the service says later is never taken for older.
    updated_at: max(held.updated_at, item.received_at),
  };
}

function previewOf(text: string | null): string | null {
  if (text === null) return null;
  const characters = [...text.slice(0, 2 * PREVIEW_LENGTH)];
  return characters.length > PREVIEW_LENGTH ? `${characters.slice(0, PREVIEW_LENGTH - 1).join('')}…` : text;
}

const min = (left: Time, right: Time): Time => (left < right ? left : right);
const max = (left: Time, right: Time): Time => (left > right ? left : right);
