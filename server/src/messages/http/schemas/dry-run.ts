import Type from 'typebox';
import { named, nullableText } from '#http/schemas/fields';

const Remark = Type.Object(
  {
    code: Type.String({ description: 'Stable code; of a blocker, the one that the send would be refused with.' }),
    message: Type.String({ description: 'One sentence a person can act on.' }),
  },
  named('DryRunRemark', 'What was found.'),
);

/** The answer of `POST /v1/messages/dry-run`. */
export const DryRunView = Type.Object(
  {
    would_send: Type.Boolean({ description: 'Whether the same message would be accepted.' }),
    blockers: Type.Array(Remark, { description: 'Why it would be refused.' }),
    warnings: Type.Array(Remark, { description: 'What may keep it from arriving.' }),
    category: nullableText('What the network would bill it as; null while only the network knows.'),
    estimated_cost: Type.Unsafe({
      type: ['object', 'null'],
      description: 'What it would cost; null when no price is known.',
      properties: {
        amount_micros: { type: 'integer', description: 'Millionths of the currency unit.' },
        currency: { type: 'string', description: 'ISO 4217.' },
      },
      required: ['amount_micros', 'currency'],
    }),
    eta_s: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Seconds until it could leave, at the rate of its number; null when that is not known.',
    }),
  },
  named('DryRun', 'What sending would come to. Nothing was stored.'),
);

export const dryRunExample = {
  would_send: false,
  blockers: [
    {
      code: 'unknown_media',
      message: 'media.media_id does not exist or has expired.',
    },
  ],
  warnings: [{ code: 'number_not_in_plan', message: "No country's plan has the number 447700900123: check it." }],
  category: 'service',
  estimated_cost: null,
  eta_s: null,
};
