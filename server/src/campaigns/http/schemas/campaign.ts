import Type, { type Static } from 'typebox';
import { CAMPAIGN_STATUSES, MAX_VARIABLE, MAX_VARIABLES, RECIPIENT_STATUSES } from '#campaigns/domain/campaign';
import type { JsonObject } from '#core/json';
import { MAX_RECIPIENT_INPUT } from '#core/phone/recipient';
import type { ErrorExample } from '#http/operation';
import { errorExample, faultExample } from '#http/schemas/errors';
import {
  changeOf,
  choiceOf,
  named,
  nullableText,
  nullableTime,
  nullableUuid,
  optional,
  phoneNumberId,
  strictObject,
  text,
  time,
  uuid,
  viewOf,
  withExample,
} from '#http/schemas/fields';
import { TemplateMessageContent } from '#messages/http/schemas/content/template';
import { AudienceBody, AudienceView, BreakerBody, BreakerView } from './campaign-audience.ts';

const MAX_NAME = 200;
/** Recipients of one request. */
const MAX_ADDED = 1_000;

export const campaignExampleId = '0190a6f2-8c23-7a11-8f00-0a1b2c3d4e5f';
export const CampaignParams = Type.Object({
  id: withExample(uuid('ID of the campaign.'), campaignExampleId),
});

export const CampaignView = viewOf(
  named('Campaign', 'A campaign: one template sent to many recipients, at most once to each.'),
  {
    id: uuid('ID of the campaign.'),
    name: Type.String({ description: 'Name, also used as the campaign_name of its messages.' }),
    status: choiceOf(CAMPAIGN_STATUSES, named('CampaignStatus', 'State of the campaign.')),
    pause_reason: nullableText('Why it is paused.'),
    phone_number_id: nullableText("Sending number. Null: the tenant's first active number."),
    template: TemplateMessageContent,
    send_at: nullableTime('Scheduled start time. Null if started manually.'),
    audience: AudienceView,
    breaker: BreakerView,
    recipients: viewOf('Recipients by status: waiting, queued, sent, failed and skipped add up to total.', {
      total: Type.Integer({ description: 'All recipients.' }),
      waiting: Type.Integer({ description: 'Recipients that have not been processed.' }),
      accepted: Type.Integer({ description: 'Recipients whose message was accepted, as by POST /v1/messages.' }),
      queued: Type.Integer({ description: 'Accepted messages that are still queued.' }),
      sent: Type.Integer({ description: 'Accepted messages that the network accepted.' }),
      failed: Type.Integer({ description: 'Accepted messages that failed, even after being sent.' }),
      skipped: Type.Integer({ description: 'Recipients that were skipped, each with a reason.' }),
    }),
    version: Type.Integer({ description: 'Increases with each change by people. Used as the ETag.' }),
    created_at: time(named('CreatedAt', 'When it was created.')),
    updated_at: time(named('UpdatedAt', 'When it was last changed.')),
    started_at: nullableTime('When it first started.'),
    finished_at: nullableTime('When it was completed or canceled.'),
  },
);

const required = {
  name: text(MAX_NAME, named('CampaignTitle', 'Name, also used as the campaign_name of its messages.')),
  template: TemplateMessageContent,
};
const further = {
  phone_number_id: phoneNumberId(),
  send_at: time('When to send once the campaign is started; at most a year ahead.'),
  audience: AudienceBody,
  breaker: BreakerBody,
};

export const CreateCampaign = strictObject('A draft of a campaign.', { ...required, ...optional(further) });

export const ChangeCampaign = changeOf({ ...required, ...further });
export type ChangeCampaignBody = Static<typeof ChangeCampaign>;

const variables = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string', maxLength: MAX_VARIABLE },
  propertyNames: { pattern: '^[a-z][a-z0-9_]{0,63}$' },
  maxProperties: MAX_VARIABLES,
  description: "Values for the template's placeholders, by name.",
});

export const AddRecipients = strictObject('Recipients to add to a draft.', {
  recipients: Type.Array(
    strictObject('A recipient.', {
      to: Type.String({
        minLength: 1,
        maxLength: MAX_RECIPIENT_INPUT,
        description: "Phone number in international format, or the network's ID of a user.",
      }),
      variables: Type.Optional(variables),
    }),
    { minItems: 1, maxItems: MAX_ADDED, description: 'Recipients, 1 to 1000.' },
  ),
});

export const AddedRecipientsView = viewOf('Result of adding recipients.', {
  added: Type.Integer({ description: 'New recipients.' }),
  duplicates: Type.Integer({ description: 'Those that already were recipients or were listed twice.' }),
  total: Type.Integer({ description: 'Total recipients of the campaign.' }),
});

export const RecipientView = viewOf(named('CampaignRecipient', 'A recipient of a campaign.'), {
  to: nullableText('Phone number, digits only, or user ID. Null if the contact was erased.'),
  status: choiceOf(
    RECIPIENT_STATUSES,
    named(
      'RecipientStatus',
      'taken: the message is being accepted. accepted: the message is queued. sent: the network accepted the message. failed: the message failed, possibly after being sent. skipped: there is no message.',
    ),
  ),
  message_id: nullableUuid('ID of the message.'),
  reason: Type.Unsafe<{ code: string; message: string } | null>({
    type: ['object', 'null'],
    properties: { code: { type: 'string' }, message: { type: 'string' } },
    description: 'Why it was skipped or its message failed.',
  }),
  sent_at: nullableTime('When the message was sent.'),
  delivered_at: nullableTime('When the message was delivered, if the network reported it.'),
  read_at: nullableTime('When the message was read, if the network reported it.'),
  variables: Type.Unsafe<Record<string, string> | null>({
    type: ['object', 'null'],
    additionalProperties: { type: 'string' },
    description: "Values for the template's placeholders.",
  }),
});

export const campaignExample: JsonObject = {
  id: campaignExampleId,
  name: 'Spring sale',
  status: 'draft',
  pause_reason: null,
  phone_number_id: null,
  template: { name: 'spring_sale', language: 'en', variables: { first_name: '{{contact.name|there}}' } },
  send_at: null,
  audience: null,
  breaker: { percent: 50, of: 200 },
  recipients: { total: 0, waiting: 0, accepted: 0, queued: 0, sent: 0, failed: 0, skipped: 0 },
  version: 1,
  created_at: '2030-01-01T09:00:00.000Z',
  updated_at: '2030-01-01T09:00:00.000Z',
  started_at: null,
  finished_at: null,
};

export const runningExample: JsonObject = {
  ...campaignExample,
  status: 'running',
  recipients: { total: 2, waiting: 2, accepted: 0, queued: 0, sent: 0, failed: 0, skipped: 0 },
  version: 2,
  started_at: '2030-01-01T09:05:00.000Z',
};

export const recipientExample: JsonObject = {
  to: '447700900123',
  status: 'waiting',
  message_id: null,
  reason: null,
  sent_at: null,
  delivered_at: null,
  read_at: null,
  variables: { code: 'SPRING10' },
};

const imageAt = 'template.components[0].parameters[0].image.media_id';

function mediaExample(name: string, code: 'unknown_media' | 'media_not_sendable', problem: string): ErrorExample {
  return faultExample(name, code, { path: `body.${imageAt}`, message: `${imageAt} ${problem}` });
}

/** What a draft names that is not the tenant's. */
export const namesErrorExamples: readonly ErrorExample[] = [
  mediaExample('unknownMedia', 'unknown_media', 'does not exist or has expired'),
  mediaExample(
    'mediaNotSendable',
    'media_not_sendable',
    'is text/plain of 10 bytes; the network accepts image/jpeg or image/png of at most 5 MB as type image',
  ),
];

/** A state that does not allow a command. */
export function stateExample(sentence: string): ErrorExample {
  return errorExample('campaignState', 'campaign_state', sentence);
}

export const onlyDraftExample = stateExample('The campaign is canceled. Only a draft can be changed.');
