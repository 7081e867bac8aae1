import Type from 'typebox';
import { priceCategories } from '#billing/domain/wallet';
import { choiceOf, named, nullableText, nullableTime, nullableUuid, time, uuid } from '#http/schemas/fields';

/** The answer of `GET /v1/wallet`. */
export const WalletObject = Type.Object(
  {
    enabled: Type.Boolean({ description: 'Whether messages are paid from the wallet. If not, it gates nothing.' }),
    currency: Type.String({ description: 'ISO 4217.' }),
    balance: Type.Integer({ description: 'held and available together, in minor units of the currency.' }),
    held: Type.Integer({ description: 'Set aside for messages whose price is not known yet.' }),
    available: Type.Integer({ description: 'What further messages can be paid from.' }),
    updated_at: nullableTime('When something was last booked; null: never.'),
  },
  named('Wallet', 'The wallet of the tenant.'),
);

const PriceObject = Type.Object(
  {
    category: choiceOf(priceCategories, "The network's category of a message."),
    region: nullableText('Leading digits of the recipient, such as 49; null: everywhere else.'),
    unit_price_micros: Type.Integer({ description: 'Price of one message, in millionths of the currency unit.' }),
  },
  named('Price', 'The price of a message.'),
);

/** The answer of `GET /v1/wallet/pricing`. */
export const PricingObject = Type.Object(
  {
    currency: Type.String({ description: 'ISO 4217.' }),
    effective_from: time('When the newest of these prices came into force.'),
    categories: Type.Array(PriceObject, { description: 'The prices in force.' }),
  },
  named('Pricing', 'What messages cost when they are paid from the wallet.'),
);

/** An item of `GET /v1/wallet/transactions`. */
export const WalletTransaction = Type.Object(
  {
    id: uuid('Id of the transaction.'),
    kind: choiceOf(
      ['topup', 'hold', 'capture', 'release', 'adjustment'],
      'hold: set aside at accept. capture: paid at the price of the network. release: given back.',
    ),
    amount: Type.Integer({
      description: 'What was moved, in minor units, rounded towards 0. Negative: an adjustment that took something.',
    }),
    amount_micros: Type.Integer({ description: 'The same, exactly, in millionths of the currency unit.' }),
    balance_after: Type.Integer({ description: 'held and available together afterwards, in minor units.' }),
    balance_after_micros: Type.Integer({ description: 'The same, exactly, in millionths of the currency unit.' }),
    message_id: nullableUuid('The message that it is about.'),
    description: Type.String({ description: 'Why.' }),
    created_at: time('When it was booked.'),
  },
  named('WalletTransaction', 'A line of the ledger.'),
);

export const walletExample = {
  enabled: true,
  currency: 'EUR',
  balance: 4985,
  held: 11,
  available: 4974,
  updated_at: '2026-11-20T10:15:30.000Z',
};

export const pricingExample = {
  currency: 'EUR',
  effective_from: '2026-10-01T00:00:00.000Z',
  categories: [
    { category: 'marketing', region: '49', unit_price_micros: 113_000 },
    { category: 'service', region: null, unit_price_micros: 0 },
  ],
};

export const transactionExample = {
  id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f11',
  kind: 'capture',
  amount: 11,
  amount_micros: 113_000,
  balance_after: 4985,
  balance_after_micros: 49_850_000,
  message_id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01',
  description: 'A message of the category marketing.',
  created_at: '2026-11-20T10:15:30.000Z',
};
