import Type from 'typebox';
import { MAX_BREAKER_OF, MIN_BREAKER_OF } from '#campaigns/domain/campaign-breaker';
import { ConditionBody } from '#contacts/http/schemas/condition';
import type { JsonObject } from '#core/json';
import { faultExample } from '#http/schemas/errors';
import { choiceOf, named, nullableInteger, nullableText, strictObject, uuid, viewOf } from '#http/schemas/fields';

const count = (description: string) => Type.Integer({ description });

/** Whom a campaign is for. */
export const AudienceBody = Type.Unsafe<{ segment_id?: string; when?: JsonObject } | null>({
  type: ['object', 'null'],
  properties: { segment_id: uuid('Contacts in this segment.'), when: ConditionBody },
  additionalProperties: false,
  minProperties: 1,
  maxProperties: 1,
  ...named(
    'AudienceRequest',
    'Contacts that become recipients when the campaign starts: those in a segment, or those that match a condition. Null: only added recipients.',
  ),
});

export const AudienceView = Type.Unsafe({
  type: ['object', 'null'],
  properties: {
    segment_id: { type: ['string', 'null'], description: 'The segment.' },
    when: ConditionBody,
    left_out: { type: 'integer', description: 'Contacts left out because they have neither a number nor a user ID.' },
  },
  ...named(
    'Audience',
    'Contacts that receive the campaign, besides added recipients. The condition is fixed when the campaign starts.',
  ),
});

export const BreakerBody = Type.Unsafe<{ percent: number; of?: number } | null>({
  type: ['object', 'null'],
  properties: {
    percent: {
      type: 'integer',
      minimum: 1,
      maximum: 100,
      description: 'Pauses if more than this percentage of messages failed.',
    },
    of: {
      type: 'integer',
      minimum: MIN_BREAKER_OF,
      maximum: MAX_BREAKER_OF,
      description: 'Number of recent outcomes to count. Default: 200.',
    },
  },
  required: ['percent'],
  additionalProperties: false,
  ...named(
    'BreakerRequest',
    'When the campaign pauses automatically: if too many recent messages failed because of the template, the number or its quality. Default: 50 percent of 200. Null: never.',
  ),
});

export const BreakerView = Type.Unsafe({
  type: ['object', 'null'],
  properties: { percent: { type: 'integer' }, of: { type: 'integer' } },
  ...named('Breaker', 'When the campaign pauses automatically. Null: never.'),
});

export const RetryBody = strictObject('Recipients to retry.', {
  scope: choiceOf(
    ['failed', 'skipped', 'failed_and_skipped'] as const,
    'failed: their message failed. skipped: they were skipped.',
  ),
  codes: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      minItems: 1,
      maxItems: 50,
      description:
        'Only recipients with one of these reasons. By default, all in the scope except those who opted out, are blocked, or whose delivery is unknown.',
    }),
  ),
});

const Remark = viewOf(named('PreflightRemark', 'A finding.'), {
  code: Type.String({ description: 'Stable code.' }),
  message: Type.String({ description: 'One sentence for people.' }),
});

export const PreflightView = viewOf(named('CampaignPreflight', 'Result of the preflight. Nothing was stored.'), {
  recipients: count('Waiting recipients and contacts of the audience.'),
  checked: count('Recipients that were checked, at most 100000.'),
  would_send: count('Checked recipients whose message would be accepted.'),
  would_skip: Type.Array(
    Type.Object(
      { code: Type.String({ description: 'Reason code.' }), count: count('Number of recipients.') },
      { description: 'A reason.' },
    ),
    { description: 'Checked recipients that would be skipped, by reason. They and would_send add up to checked.' },
  ),
  blockers: Type.Array(Remark, { description: 'Why no messages would be sent.' }),
  warnings: Type.Array(Remark, { description: 'What may prevent delivery.' }),
  category: nullableText('Category that the network would bill a message as. Null if only the network knows it.'),
  estimated_cost: Type.Unsafe({
    type: ['object', 'null'],
    properties: {
      amount_micros: { type: 'integer', description: 'Amount in millionths of the currency unit.' },
      currency: { type: 'string', description: 'ISO 4217 code.' },
    },
    required: ['amount_micros', 'currency'],
    description: 'Estimated cost for the checked recipients. Null if no price is known.',
  }),
  eta_s: nullableInteger(
    'Estimated seconds until the last message is sent, at the rate of the number. Null if unknown.',
  ),
});

export const preflightExample: JsonObject = {
  recipients: 2,
  checked: 2,
  would_send: 1,
  would_skip: [{ code: 'variable_missing', count: 1 }],
  blockers: [],
  warnings: [],
  category: null,
  estimated_cost: null,
  eta_s: 1,
};

export const unknownSegmentExample = faultExample('unknownSegment', 'unknown_segment', {
  path: 'body.audience.segment_id',
  message: 'audience.segment_id does not name a segment of this tenant',
});
