import { type SqlRunner, type Statement, statement } from '#database/database';

/*
 * What all cells of an installation have in common: its secrets, so that a tenant takes cursors, correlation tokens and PINs along when it
 * moves, and the price lists of the operator.
 */

const SETTINGS = statement('installation_settings')`select name, value from settings order by name`;
const SETTINGS_PUT = statement('installation_settings_put')`
insert into settings (name, value) select * from unnest($1::text[], $2::text[]) on conflict (name) do nothing`;

interface Setting {
  readonly name: string;
  readonly value: string;
}

const HAS_SETTINGS = statement('installation_has_settings')`select to_regclass('settings') is not null as there`;

/** Whether there are tables of a service at all. */
export async function hasSettings(db: SqlRunner): Promise<boolean> {
  return (await db.run<{ there: boolean }>(HAS_SETTINGS, [])).rows[0]?.there === true;
}

/** The secrets of a cell by their names. */
export async function readSecrets(db: SqlRunner): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.run<Setting>(SETTINGS, []);
  return new Map(rows.map(({ name, value }) => [name, value]));
}

/** Gives a cell the secrets that it does not have yet. */
export async function putSecrets(db: SqlRunner, settings: ReadonlyMap<string, string>): Promise<void> {
  await db.run(SETTINGS_PUT, [[...settings.keys()], [...settings.values()]]);
}

/** The rows of the operator's price lists; they have the same columns in all cells. */
const LISTS: readonly { readonly read: Statement; readonly put: Statement }[] = [
  {
    read: statement('installation_plans')`select to_jsonb(p)::text as value from plans p order by p.plan_id`,
    put: statement('installation_plans_put')`
insert into plans select r.* from unnest($1::text[]) v, jsonb_populate_record(null::plans, v::jsonb) r on conflict do nothing`,
  },
  {
    read: statement('installation_prices')`
select to_jsonb(p)::text as value from wallet_prices p order by p.category, p.region, p.effective_from_ms`,
    put: statement('installation_prices_put')`
insert into wallet_prices select r.* from unnest($1::text[]) v, jsonb_populate_record(null::wallet_prices, v::jsonb) r
on conflict do nothing`,
  },
];

/** Gives a cell the plans and prices of another that it does not have. */
export async function copyLists(from: SqlRunner, to: SqlRunner): Promise<void> {
  for (const { read, put } of LISTS) {
    const { rows } = await from.run<{ value: string }>(read, []);
    await to.run(put, [rows.map((row) => row.value)]);
  }
}

/** A name that `isCellName` accepts needs no quotes. */
export async function makeSchema(db: SqlRunner, schema: string): Promise<void> {
  await db.run({ name: '', text: `create schema if not exists ${schema}` }, []);
}
