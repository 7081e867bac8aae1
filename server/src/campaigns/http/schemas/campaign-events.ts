import Type from 'typebox';
import { CAMPAIGN_STATUSES } from '#campaigns/domain/campaign';
import type { EventType } from '#events/domain/event';
import type { EventDescription } from '#http/schemas/events/description';
import { choiceOf, named, nullableText, text, uuid } from '#http/schemas/fields';

const Campaign = Type.Object(
  {
    id: uuid('Id of the campaign.'),
    name: text(200, 'Its name, which is also the campaign_name of its messages.'),
    status: choiceOf(CAMPAIGN_STATUSES, named('CampaignStatus', 'The state that it came to.')),
    pause_reason: nullableText('Why it is paused.'),
    total: Type.Integer({ description: 'All recipients.' }),
    accepted: Type.Integer({ description: 'Recipients whose message was accepted by then.' }),
    skipped: Type.Integer({ description: 'Recipients who get none.' }),
    sent: Type.Integer({ description: 'Of the accepted: recipients whose message had left by then.' }),
    failed: Type.Integer({ description: 'Of the accepted: recipients whose message had failed by then.' }),
  },
  named('CampaignEventData', 'A campaign and how far it was.'),
);

const NOTHING_YET = { total: 2, accepted: 0, skipped: 0, sent: 0, failed: 0 };

function described(status: string, pauseReason: string | null = null): EventDescription {
  const counts = status === 'completed' ? { total: 2, accepted: 1, skipped: 1, sent: 1, failed: 0 } : NOTHING_YET;
  const id = '0190a6f2-8c23-7a11-8f00-0a1b2c3d4e5f';
  return { data: Campaign, example: { id, name: 'Spring sale', status, pause_reason: pauseReason, ...counts } };
}

/** What events of campaigns carry. */
export const campaignEvents: Partial<Record<EventType, EventDescription>> = {
  'campaign.started': described('running'),
  'campaign.paused': described('paused', 'Paused over the API.'),
  'campaign.resumed': described('running'),
  'campaign.completed': described('completed'),
  'campaign.canceled': described('canceled'),
};
