import Type, { type Static } from 'typebox';
import { CAMPAIGN_STATUSES, MAX_VARIABLE, MAX_VARIABLES, RECIPIENT_STATUSES } from '#campaigns/domain/campaign';
import type { JsonObject } from '#core/json';
import type { ErrorExample } from '#http/operation';
import {
  choiceOf,
  named,
  nullableText,
  nullableTime,
  nullableUuid,
  phoneNumberId,
  text,
  time,
  uuid,
  withExample,
} from '#http/schemas/fields';
import { TemplateMessageContent } from '#messages/http/schemas/content/template';
import { AudienceBody, AudienceView, BreakerBody, BreakerView } from './campaign-audience.ts';

const MAX_NAME = 200;
/** Recipients of one request. */
const MAX_ADDED = 1_000;

export const CampaignParams = Type.Object({
  id: withExample(uuid('Id of the campaign.'), '0190a6f2-8c23-7a11-8f00-0a1b2c3d4e5f'),
});

export const CampaignView = Type.Object(
  {
    id: uuid('Id of the campaign.'),
    name: Type.String({ description: 'Its name, which is also the campaign_name of its messages.' }),
    status: choiceOf(CAMPAIGN_STATUSES, named('CampaignStatus', 'State of the campaign.')),
    pause_reason: nullableText('Why it is paused.'),
    phone_number_id: nullableText("The sending number; null: the tenant's first active one."),
    template: TemplateMessageContent,
    send_at: nullableTime('When it starts; null: when it is told to.'),
    audience: AudienceView,
    breaker: BreakerView,
    recipients: Type.Object(
      {
        total: Type.Integer({ description: 'All.' }),
        waiting: Type.Integer({ description: 'Those whose turn has not come.' }),
        accepted: Type.Integer({ description: 'Those whose message was accepted, as by POST /v1/messages.' }),
        queued: Type.Integer({ description: 'Of the accepted: those whose message has no outcome yet.' }),
        sent: Type.Integer({ description: 'Of the accepted: those whose message the network took.' }),
        failed: Type.Integer({ description: 'Of the accepted: those whose message failed, also after it was sent.' }),
        skipped: Type.Integer({ description: 'Those who got none; each says why.' }),
      },
      {
        description:
          'What became of the recipients at one moment: waiting, queued, sent, failed and skipped add up to total.',
      },
    ),
    version: Type.Integer({ description: 'Grows with each change by people; the ETag.' }),
    created_at: time('When it was made.'),
    updated_at: time('When it last changed.'),
    started_at: nullableTime('When it first ran.'),
    finished_at: nullableTime('When it was completed or canceled.'),
  },
  named('Campaign', 'A campaign: one template to many recipients, each at most once.'),
);

const fields = {
  name: text(MAX_NAME, 'Its name, which is also the campaign_name of its messages.'),
  template: TemplateMessageContent,
  phone_number_id: phoneNumberId(),
  send_at: time('When it starts once it is told to; at most a year ahead.'),
  audience: AudienceBody,
  breaker: BreakerBody,
};

export const CreateCampaign = Type.Object(
  {
    name: fields.name,
    template: fields.template,
    phone_number_id: Type.Optional(fields.phone_number_id),
    send_at: Type.Optional(fields.send_at),
    audience: Type.Optional(fields.audience),
    breaker: Type.Optional(fields.breaker),
  },
  { additionalProperties: false, description: 'A draft of a campaign.' },
);
export type CreateCampaignBody = Static<typeof CreateCampaign>;

export const ChangeCampaign = Type.Object(
  {
    name: Type.Optional(fields.name),
    template: Type.Optional(fields.template),
    phone_number_id: Type.Optional(fields.phone_number_id),
    send_at: Type.Optional(fields.send_at),
    audience: Type.Optional(fields.audience),
    breaker: Type.Optional(fields.breaker),
  },
  { additionalProperties: false, minProperties: 1, description: 'What is left out stays as it is.' },
);

const variables = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string', maxLength: MAX_VARIABLE },
  propertyNames: { pattern: '^[a-z][a-z0-9_]{0,63}$' },
  maxProperties: MAX_VARIABLES,
  description: 'Texts for the placeholders of the template, by name.',
});

export const AddRecipients = Type.Object(
  {
    recipients: Type.Array(
      Type.Object(
        {
          to: Type.String({ minLength: 1, maxLength: 64, description: 'Number in international form.' }),
          variables: Type.Optional(variables),
        },
        { additionalProperties: false, description: 'A recipient.' },
      ),
      { minItems: 1, maxItems: MAX_ADDED, description: 'Recipients, 1 to 1000.' },
    ),
  },
  { additionalProperties: false, description: 'Recipients to add to a draft.' },
);

export const AddedRecipientsView = Type.Object(
  {
    added: Type.Integer({ description: 'Recipients that are new.' }),
    duplicates: Type.Integer({ description: 'Numbers that were there already, or came twice.' }),
    total: Type.Integer({ description: 'Recipients of the campaign now.' }),
  },
  { description: 'What was added.' },
);

export const RecipientView = Type.Object(
  {
    to: nullableText('Digits only; null once its contact was erased.'),
    status: choiceOf(
      RECIPIENT_STATUSES,
      named(
        'RecipientStatus',
        'taken: its message is being accepted right now; accepted: it is queued; sent: the network took it; failed: it failed, maybe after it was sent; skipped: there is none.',
      ),
    ),
    message_id: nullableUuid('Its message.'),
    reason: Type.Unsafe<{ code: string; message: string } | null>({
      type: ['object', 'null'],
      properties: { code: { type: 'string' }, message: { type: 'string' } },
      description: 'Why it was skipped, or its message failed.',
    }),
    sent_at: nullableTime('When its message left.'),
    delivered_at: nullableTime('When it arrived, as far as the network told.'),
    read_at: nullableTime('When it was read, as far as the network told.'),
    variables: Type.Unsafe<Record<string, string> | null>({
      type: ['object', 'null'],
      additionalProperties: { type: 'string' },
      description: 'Texts for the placeholders of the template.',
    }),
  },
  named('CampaignRecipient', 'A recipient of a campaign.'),
);

export const campaignExample: JsonObject = {
  id: '0190a6f2-8c23-7a11-8f00-0a1b2c3d4e5f',
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

function mediaExample(name: string, code: 'unknown_media' | 'media_not_sendable', said: string): ErrorExample {
  const message = `${imageAt} ${said}`;
  return { name, code, body: { error: `${message}.`, code, details: [{ path: `body.${imageAt}`, message }] } };
}

/** What a draft names that is not the tenant's. */
export const namesErrorExamples: readonly ErrorExample[] = [
  mediaExample('unknownMedia', 'unknown_media', 'does not exist or has expired'),
  mediaExample(
    'mediaNotSendable',
    'media_not_sendable',
    'is text/plain of 10 bytes; the network takes image/jpeg or image/png of at most 5 MB as type image',
  ),
];

/** A state that does not allow a command. */
export function stateExample(sentence: string): ErrorExample {
  return { name: 'campaignState', code: 'campaign_state', body: { error: sentence, code: 'campaign_state' } };
}

export const onlyDraftExample = stateExample('The campaign is canceled; only a draft can be changed.');

export const staleCampaignExample: ErrorExample = {
  name: 'changedMeanwhile',
  code: 'precondition_failed',
  body: { error: 'The campaign was changed meanwhile: its version is 4. Read it again.', code: 'precondition_failed' },
};
