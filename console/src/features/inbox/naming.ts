import type { Agent } from '../../app/resources.ts';
import type { Actor, Conversation, ThreadItem } from '../../live/model.ts';
import { isDeleted, isInbound } from '../../live/model.ts';
import { t } from '../../locales/text.ts';

/** What a customer is called: by name, else by number. */
export function customerName({ contact, number }: Pick<Conversation, 'contact' | 'number'>): string {
  if (contact?.name) return contact.name;
  return contact?.phone ? phoneText(contact.phone) : t('customer.unknown', { number });
}

export const phoneText = (digits: string): string => `+${digits}`;

export function agentName(agents: readonly Agent[] | undefined, id: string | null): string {
  if (id === null) return t('agent.nobody');
  return agents?.find((agent) => agent.id === id)?.name ?? t('agent.unknown');
}

export function actorName(agents: readonly Agent[] | undefined, { kind, id }: Actor): string {
  if (kind === 'agent') return agentName(agents, id);
  return t(kind === 'rule' ? 'actor.rule' : kind === 'key' ? 'actor.key' : 'actor.system');
}

const WINDOW_MS = 24 * 3_600_000;

/** How much of the 24 hours is left in which the customer may be written to freely. */
export function windowLeftMs({ window }: Pick<Conversation, 'window'>, nowMs: number): number {
  return window.expires_at === null ? 0 : Math.max(0, Date.parse(window.expires_at) - nowMs);
}

export const windowShare = (one: Conversation, nowMs: number): number =>
  Math.min(1, windowLeftMs(one, nowMs) / WINDOW_MS);

const KINDS = [
  'image',
  'video',
  'audio',
  'document',
  'sticker',
  'location',
  'contacts',
  'template',
  'interactive',
  'reaction',
] as const;
type Kind = (typeof KINDS)[number];

/** A message without words, in words. */
export function kindName(type: string): string {
  const known = KINDS.find((kind) => kind === type);
  return known === undefined ? t('kind.other', { type }) : t(`kind.${known satisfies Kind}`);
}

/** When something was written: by the customer's clock, also when it arrived late. */
export const timeOf = (item: ThreadItem): string => (isInbound(item) ? item.network_timestamp : item.created_at);

/** What a quote or a row says of a message. */
export function summaryOf(item: ThreadItem): string {
  if (isDeleted(item)) return t('thread.deletedByCustomer');
  if (isInbound(item)) return item.body ?? item.summary ?? kindName(item.type);
  if (item.type === 'note') return item.body ?? '';
  return ('media' in item ? item.media?.caption : null) ?? item.body ?? kindName(item.type);
}
