import type { Price } from '#core/wallet';
import type { SqlRunner, Statement } from './database.ts';

const LIST_PRICES: Statement = {
  name: 'wallet_prices',
  text: `
select category, region, effective_from_ms, unit_price_micros from wallet_prices
order by category, region, effective_from_ms`,
};

interface PriceRow {
  readonly category: string;
  readonly region: string;
  readonly effective_from_ms: number;
  readonly unit_price_micros: number;
}

/** All prices, past ones and future ones too. */
export async function listPrices(db: SqlRunner): Promise<readonly Price[]> {
  const { rows } = await db.run<PriceRow>(LIST_PRICES, []);
  return rows.map(toPrice);
}

const ADD_PRICE: Statement = {
  name: 'wallet_add_price',
  text: `
insert into wallet_prices (category, region, effective_from_ms, unit_price_micros, rerate) values ($1, $2, $3, $4, $5)
on conflict do nothing`,
};

/**
 * @param rerate whether messages of the past are to be charged by it
 * @returns false when that category and region have a price from exactly then on
 */
export async function addPrice(db: SqlRunner, price: Price, rerate: boolean): Promise<boolean> {
  const { category, region, effectiveFromMs, unitPriceMicros } = price;
  return (await db.run(ADD_PRICE, [category, region, effectiveFromMs, unitPriceMicros, rerate])).rowCount === 1;
}

const FIND_RERATED: Statement = {
  name: 'wallet_prices_to_rerate',
  text: `
select category, region, effective_from_ms, unit_price_micros from wallet_prices where rerate order by effective_from_ms`,
};

/** Prices of the past that messages are not charged by yet, the earliest first. */
export async function findPricesToRerate(db: SqlRunner): Promise<readonly Price[]> {
  return (await db.run<PriceRow>(FIND_RERATED, [])).rows.map(toPrice);
}

const END_RERATE: Statement = {
  name: 'wallet_price_rerated',
  text: 'update wallet_prices set rerate = false where category = $1 and region = $2 and effective_from_ms = $3',
};

export async function endRerate(db: SqlRunner, { category, region, effectiveFromMs }: Price): Promise<void> {
  await db.run(END_RERATE, [category, region, effectiveFromMs]);
}

function toPrice(row: PriceRow): Price {
  return {
    category: row.category,
    region: row.region,
    effectiveFromMs: row.effective_from_ms,
    unitPriceMicros: row.unit_price_micros,
  };
}
