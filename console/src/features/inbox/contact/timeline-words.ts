/** What the timeline of a contact says of each thing that happened. */
import type * as Sdk from '@postrider/sdk';
import type { Agent } from '../../../app/resources.ts';
import type { Known } from '../../../live/known.ts';
import { type InboundItem, isInbound, type OutboundItem } from '../../../live/model.ts';
import { t } from '../../../locales/text.ts';
import { actorName, summaryOf, timeOf } from '../naming.ts';
import { describeChange } from '../thread/history.ts';

/** One thing that happened with a contact, with messages as threads have them. */
export type TimelineItem =
  | Known<Exclude<Sdk.TimelineItem, Sdk.TimelineMessage>>
  | (Pick<Sdk.TimelineMessage, 'type'> & { readonly message: InboundItem | OutboundItem });

/** A line of the timeline. */
export interface Line {
  readonly key: string;
  readonly at: string;
  readonly title: string;
  /** What somebody wrote, in their own words. */
  readonly said: string | null;
  /** Where it can be read; null: nowhere. */
  readonly place: { readonly conversationId: string; readonly itemId: string } | null;
}

/** @returns null for what nobody has to read, such as a change that only the service sees */
export function lineOf(item: TimelineItem, agents: readonly Agent[] | undefined): Line | null {
  switch (item.type) {
    case 'message':
      return messageLine(item.message);
    case 'note': {
      const { note } = item;
      const title = t('timeline.note', { who: actorName(agents, note.author) });
      return {
        key: note.id,
        at: note.created_at,
        title,
        said: note.body,
        place: placeOf(note.conversation_id, note.id),
      };
    }
    case 'conversation_change': {
      const title = describeChange(item.change, agents);
      return title === null ? null : { key: item.change.id, at: item.change.at, title, said: null, place: null };
    }
    case 'rule_decision': {
      const { id, message_id, conversation_id, actions, decided_at } = item.decision;
      const did = actions.map(({ action }) => action).join(', ');
      const title = did === '' ? t('timeline.ruleMatched') : t('timeline.ruleDid', { did });
      return { key: `decision ${id}`, at: decided_at, title, said: null, place: placeOf(conversation_id, message_id) };
    }
    case 'campaign_skip': {
      const title = t('timeline.skipped', { name: item.campaign_name, reason: item.reason.message });
      return { key: `skip-${item.campaign_id}`, at: item.at, title, said: null, place: null };
    }
    case 'consent': {
      const { id, marketing, source, wording, recorded_at } = item.consent;
      const name = marketing === 'granted' ? 'timeline.optedIn' : marketing === 'denied' ? 'timeline.optedOut' : null;
      const title = name === null ? t('timeline.consentUnknown') : t(name, { source });
      return { key: id, at: recorded_at, title, said: wording, place: null };
    }
    case 'merge': {
      const { id, merged_at, undone_at } = item.merge;
      const title = t(undone_at === null ? 'timeline.merged' : 'timeline.mergeUndone');
      return { key: id, at: merged_at, title, said: null, place: null };
    }
  }
}

function messageLine(message: InboundItem | OutboundItem): Line {
  const title = isInbound(message) ? t('timeline.wrote') : sentTitle(message);
  const place = message.conversation_id === null ? null : placeOf(message.conversation_id, message.id);
  return { key: message.id, at: timeOf(message), title, said: summaryOf(message), place };
}

function sentTitle(message: InboundItem | OutboundItem): string {
  const author = 'author' in message ? message.author : null;
  if (!author) return t('timeline.sent');
  if (author.kind === 'campaign') return t('timeline.campaign', { name: author.name ?? '' });
  return author.name ? t('timeline.sentBy', { name: author.name }) : t('timeline.sent');
}

const placeOf = (conversationId: string, itemId: string) => ({ conversationId, itemId });
