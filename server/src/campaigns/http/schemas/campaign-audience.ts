import Type from 'typebox';
import { MAX_BREAKER_OF, MIN_BREAKER_OF } from '#campaigns/domain/campaign-breaker';
import { ConditionBody } from '#contacts/http/schemas/condition';
import type { JsonObject } from '#core/json';
import type { ErrorExample } from '#http/operation';
import { choiceOf, named, nullableText, uuid } from '#http/schemas/fields';

const count = (description: string) => Type.Integer({ description });

/** Whom a campaign is for. */
export const AudienceBody = Type.Unsafe<{ segment_id?: string; when?: JsonObject } | null>({
  type: ['object', 'null'],
  properties: { segment_id: uuid('Everyone in this segment.'), when: ConditionBody },
  additionalProperties: false,
  minProperties: 1,
  maxProperties: 1,
  ...named(
    'AudienceRequest',
    'Contacts that become recipients when the campaign starts: of a segment, or those that a condition holds for. null: only those that are added.',
  ),
});

export const AudienceView = Type.Unsafe({
  type: ['object', 'null'],
  properties: {
    segment_id: { type: ['string', 'null'], description: 'The segment.' },
    when: ConditionBody,
    left_out: { type: 'integer', description: 'Contacts of it that are no recipients: they have no number.' },
  },
  ...named(
    'Audience',
    'Whom it is for, besides recipients that were added. From its start on the condition stays as it is.',
  ),
});

export const BreakerBody = Type.Unsafe<{ percent: number; of?: number } | null>({
  type: ['object', 'null'],
  properties: {
    percent: {
      type: 'integer',
      minimum: 1,
      maximum: 100,
      description: 'More than this share of failures is too much.',
    },
    of: {
      type: 'integer',
      minimum: MIN_BREAKER_OF,
      maximum: MAX_BREAKER_OF,
      description: 'How many of the last outcomes count; default 200.',
    },
  },
  required: ['percent'],
  additionalProperties: false,
  ...named(
    'BreakerRequest',
    'When the campaign pauses itself: too many of the last messages failed for reasons of the template, the number or its quality. Default 50 percent of 200; null: never.',
  ),
});

export const BreakerView = Type.Unsafe({
  type: ['object', 'null'],
  properties: { percent: { type: 'integer' }, of: { type: 'integer' } },
  ...named('Breaker', 'When it pauses itself; null: never.'),
});

export const RetryBody = Type.Object(
  {
    scope: choiceOf(
      ['failed', 'skipped', 'failed_and_skipped'] as const,
      'failed: their message failed; skipped: they got none.',
    ),
    codes: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        minItems: 1,
        maxItems: 50,
        description:
          'Only those with one of these reasons. Without it everyone of the scope but those who opted out or are blocked, and those of whom it is not known whether their message arrived.',
      }),
    ),
  },
  { additionalProperties: false, description: 'Whom to send to again.' },
);

const Remark = Type.Object(
  {
    code: Type.String({ description: 'Stable code.' }),
    message: Type.String({ description: 'One sentence a person can act on.' }),
  },
  named('PreflightRemark', 'What was found.'),
);

export const PreflightView = Type.Object(
  {
    recipients: count('Recipients that wait, and contacts of the audience.'),
    checked: count('How many of them were looked at: at most 100000.'),
    would_send: count('Of those: whose message would be accepted.'),
    would_skip: Type.Array(
      Type.Object(
        { code: Type.String({ description: 'Why.' }), count: count('How many.') },
        { description: 'A reason.' },
      ),
      { description: 'Of those: who would get none, by reason; they and would_send add up to checked.' },
    ),
    blockers: Type.Array(Remark, { description: 'Why nobody would be sent to.' }),
    warnings: Type.Array(Remark, { description: 'What may keep messages from arriving.' }),
    category: nullableText('What the network would bill a message as; null while only the network knows.'),
    estimated_cost: Type.Unsafe({
      type: ['object', 'null'],
      properties: {
        amount_micros: { type: 'integer', description: 'Millionths of the currency unit.' },
        currency: { type: 'string', description: 'ISO 4217.' },
      },
      required: ['amount_micros', 'currency'],
      description: 'What those that were looked at would cost; null when no price is known.',
    }),
    eta_s: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Seconds until the last one would leave, at the rate of the number; null when that is not known.',
    }),
  },
  named('CampaignPreflight', 'What the campaign would come to now. Nothing was stored.'),
);

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

const unknownSegment = 'audience.segment_id does not name a segment of this tenant';
export const unknownSegmentExample: ErrorExample = {
  name: 'unknownSegment',
  code: 'unknown_segment',
  body: {
    error: `${unknownSegment}.`,
    code: 'unknown_segment',
    details: [{ path: 'body.audience.segment_id', message: unknownSegment }],
  },
};
