import Type from 'typebox';
import { named, nullableObject, nullableText } from '#http/schemas/fields';

const Remark = Type.Object(
  {
    code: Type.String({ description: 'Stable code; for a blocker, the error code of the send.' }),
    message: Type.String({ description: 'One sentence for people.' }),
  },
  named('DryRunRemark', 'A finding.'),
);

/** The answer of `POST /v1/messages/dry-run`. */
export const DryRunView = Type.Object(
  {
    would_send: Type.Boolean({ description: 'Whether the message would be accepted.' }),
    blockers: Type.Array(Remark, { description: 'Why the message would be rejected.' }),
    warnings: Type.Array(Remark, { description: 'What may prevent delivery.' }),
    category: nullableText('Category that the network would bill it as. Null if only the network knows it.'),
    estimated_cost: nullableObject('Estimated cost. Null if no price is known.', {
      amount_micros: { type: 'integer', description: 'Amount in millionths of the currency unit.' },
      currency: { type: 'string', description: 'ISO 4217 code.' },
    }),
    eta_s: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Estimated seconds until it can be sent, at the rate of its number. Null if unknown.',
    }),
  },
  named('DryRun', 'Result of the check. Nothing was stored.'),
);

export const dryRunExample = {
  would_send: false,
  blockers: [{ code: 'unknown_media', message: 'media.media_id does not exist or has expired.' }],
  warnings: [
    { code: 'number_not_in_plan', message: '447700900123 does not match the numbering plan of any country. Check it.' },
  ],
  category: 'service',
  estimated_cost: null,
  eta_s: null,
};
