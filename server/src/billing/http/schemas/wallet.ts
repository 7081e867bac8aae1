import Type from 'typebox';
import { priceCategories } from '#billing/domain/wallet';
import { choiceOf, named, nullableText, nullableTime, nullableUuid, time, uuid, viewOf } from '#http/schemas/fields';

/** The answer of `GET /v1/wallet`. */
export const WalletObject = viewOf(named('Wallet', "The tenant's wallet."), {
  enabled: Type.Boolean({
    description: 'Whether messages are paid from the wallet. If false, it does not block any messages.',
  }),
  currency: Type.String({ description: 'ISO 4217 code.' }),
  balance: Type.Integer({ description: 'Sum of held and available, in minor units of the currency.' }),
  held: Type.Integer({ description: 'Reserved for messages whose price is not known yet.' }),
  available: Type.Integer({ description: 'Available for further messages.' }),
  updated_at: nullableTime('When the balance last changed. Null: never.'),
});

const PriceObject = viewOf(named('Price', 'The price of a message.'), {
  category: choiceOf(priceCategories, "The network's category of a message."),
  region: nullableText("Leading digits of the recipient's number, such as 49. Null: all other numbers."),
  unit_price_micros: Type.Integer({ description: 'Price of one message, in millionths of the currency unit.' }),
});

/** The answer of `GET /v1/wallet/pricing`. */
export const PricingObject = viewOf(named('Pricing', 'Message prices, when paid from the wallet.'), {
  currency: Type.String({ description: 'ISO 4217 code.' }),
  effective_from: time('When the newest of these prices took effect.'),
  categories: Type.Array(PriceObject, { description: 'Current prices.' }),
});

/** An item of `GET /v1/wallet/transactions`. */
export const WalletTransaction = viewOf(named('WalletTransaction', 'A wallet transaction.'), {
  id: uuid('ID of the transaction.'),
  kind: choiceOf(
    ['topup', 'hold', 'capture', 'release', 'adjustment'],
    "hold: reserved when the message is accepted. capture: charged at the network's price. release: returned.",
  ),
  amount: Type.Integer({
    description: 'Amount moved, in minor units, rounded toward 0. Negative if an adjustment deducts it.',
  }),
  amount_micros: Type.Integer({ description: 'Exact amount, in millionths of the currency unit.' }),
  balance_after: Type.Integer({ description: 'Sum of held and available afterwards, in minor units.' }),
  balance_after_micros: Type.Integer({ description: 'Exact amount, in millionths of the currency unit.' }),
  message_id: nullableUuid('Message that it belongs to.'),
  description: Type.String({ description: 'Description of the transaction.' }),
  created_at: time('When it was recorded.'),
});

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
