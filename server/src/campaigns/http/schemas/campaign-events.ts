import Type from 'typebox';
import { CAMPAIGN_STATUSES } from '#campaigns/domain/campaign';
import type { EventType } from '#events/domain/event';
import type { EventDescription } from '#http/schemas/events/description';
import { choiceOf, named, nullableText, text, uuid, viewOf } from '#http/schemas/fields';
import { campaignExampleId } from './campaign.ts';

const Campaign = viewOf(named('CampaignEventData', 'A campaign and its progress.'), {
  id: uuid('ID of the campaign.'),
  name: text(200, 'Name, also used as the campaign_name of its messages.'),
  status: choiceOf(CAMPAIGN_STATUSES, named('CampaignStatus', 'Status of the campaign.')),
  pause_reason: nullableText('Why it is paused.'),
  total: Type.Integer({ description: 'All recipients.' }),
  accepted: Type.Integer({ description: 'Recipients whose message had been accepted.' }),
  skipped: Type.Integer({ description: 'Recipients that were skipped.' }),
  sent: Type.Integer({ description: 'Accepted messages that had been sent.' }),
  failed: Type.Integer({ description: 'Accepted messages that had failed.' }),
});

const NOTHING_YET = { total: 2, accepted: 0, skipped: 0, sent: 0, failed: 0 };

function described(status: string, pauseReason: string | null = null): EventDescription {
  const counts = status === 'completed' ? { total: 2, accepted: 1, skipped: 1, sent: 1, failed: 0 } : NOTHING_YET;
  return {
    data: Campaign,
    example: { id: campaignExampleId, name: 'Spring sale', status, pause_reason: pauseReason, ...counts },
  };
}

/** What events of campaigns carry. */
export const campaignEvents: Partial<Record<EventType, EventDescription>> = {
  'campaign.started': described('running'),
  'campaign.paused': described('paused', 'Paused through the API.'),
  'campaign.resumed': described('running'),
  'campaign.completed': described('completed'),
  'campaign.canceled': described('canceled'),
};
