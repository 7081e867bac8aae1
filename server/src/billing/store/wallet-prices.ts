import type { Price } from '#billing/domain/wallet';
import { type SqlRunner, statement } from '#database/database';

const LIST_PRICES = statement('wallet_prices')`
select category, region, effective_from_ms, unit_price_micros from wallet_prices
order by category, region, effective_from_ms`;

/** All prices, past ones and future ones too. */
export async function listPrices(db: SqlRunner): Promise<readonly Price[]> {
  return (await db.run<Price>(LIST_PRICES, [])).rows;
}

const ADD_PRICE = statement('wallet_add_price')`
insert into wallet_prices (category, region, effective_from_ms, unit_price_micros, rerate_ms) values ($1, $2, $3, $4, $5)
on conflict do nothing`;

/**
 * @param rerateMs when messages of the past are to be charged by it; null: it covers none
 * @returns false when that category and region have a price from exactly then on
 */
export async function addPrice(db: SqlRunner, price: Price, rerateMs: number | null): Promise<boolean> {
  const { category, region, effectiveFromMs, unitPriceMicros } = price;
  return (await db.run(ADD_PRICE, [category, region, effectiveFromMs, unitPriceMicros, rerateMs])).rowCount === 1;
}

const FIND_RERATED = statement('wallet_prices_to_rerate')`
select category, region, effective_from_ms, unit_price_micros from wallet_prices
where rerate_ms <= $1 order by effective_from_ms`;

/** Prices that messages of the past are to be charged by now, the earliest first. */
export async function findPricesToRerate(db: SqlRunner, nowMs: number): Promise<readonly Price[]> {
  return (await db.run<Price>(FIND_RERATED, [nowMs])).rows;
}

const RERATE_AT = statement('wallet_price_rerate_at')`
update wallet_prices set rerate_ms = $4 where category = $1 and region = $2 and effective_from_ms = $3`;

/** @param atMs when messages are to be charged by it again; null: they all are */
export async function rerateAt(db: SqlRunner, price: Price, atMs: number | null): Promise<void> {
  await db.run(RERATE_AT, [price.category, price.region, price.effectiveFromMs, atMs]);
}
