import Type, { type TSchema } from 'typebox';
import { ConsentEntryView } from '#contacts/http/contact-commands';
import { ConversationChangeView } from '#conversations/http/conversation-thread';
import { NoteView } from '#conversations/http/schemas/conversation';
import type { JsonObject } from '#core/json';
import { inboundExample } from '#http/schemas/examples';
import { choiceOf, named, time, uuid, viewOf } from '#http/schemas/fields';
import { MergeView } from '#merges/http/schemas/contact-merge';
import { Message } from '#messages/http/schemas/message';
import { DecisionView } from '#rules/http/schemas/rule-decision';
import type { TimelineType } from '#timeline/domain/timeline-type';

function itemOf(type: TimelineType, name: string, description: string, fields: Readonly<Record<string, TSchema>>) {
  return viewOf(named(name, description), { type: choiceOf([type], 'Type of the item.'), ...fields });
}

export const TimelineItem = Type.Unsafe({
  oneOf: [
    itemOf('message', 'TimelineMessage', 'A message of either direction.', { message: Message }),
    itemOf('note', 'TimelineNote', 'A note between agents.', { note: NoteView }),
    itemOf('conversation_change', 'TimelineConversationChange', 'A change to a conversation of the contact.', {
      conversation_id: uuid('ID of the conversation.'),
      change: ConversationChangeView,
    }),
    itemOf('rule_decision', 'TimelineRuleDecision', 'What rules decided, if at least one matched.', {
      decision: DecisionView,
    }),
    itemOf('campaign_skip', 'TimelineCampaignSkip', 'A campaign that left the contact out.', {
      campaign_id: uuid('ID of the campaign.'),
      campaign_name: Type.String({ description: 'Name of the campaign.' }),
      reason: Type.Object(
        {
          code: Type.String({ description: 'The code, as in the recipients of the campaign.' }),
          message: Type.String({ description: 'The reason in a sentence.' }),
        },
        { description: 'Why the contact was skipped.' },
      ),
      at: time('When the campaign started.'),
    }),
    itemOf('consent', 'TimelineConsent', 'A change of consent.', { consent: ConsentEntryView }),
    itemOf('merge', 'TimelineMerge', 'A merge that the contact was part of, on either side.', { merge: MergeView }),
  ],
  ...named('TimelineItem', 'Something that happened with a contact.'),
});

export const timelineExample: JsonObject = { type: 'message', message: inboundExample };
