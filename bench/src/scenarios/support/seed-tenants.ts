import { createHash } from 'node:crypto';
import { type DatabasePlace, openDatabase } from '../../harness/open-database.ts';

/** A tenant beside that of the bootstrap, with a key and sending numbers of its own. */
export interface SeededTenant {
  readonly key: string;
  readonly phoneNumberIds: readonly string[];
}

interface SeedSpec {
  readonly count: number;
  readonly nowMs: number;
  /** Sending numbers of each tenant; absent: one. */
  readonly numbersEach?: number;
  /** Tenants that were put elsewhere before: no two have the same key or number. */
  readonly first?: number;
}

const FIRST_NUMBER = 200_000_000_000_000;

/** Puts tenants straight into the tables, as many commands of the operator would; their numbers have the default limit. */
export async function seedTenants(
  place: DatabasePlace,
  { count, nowMs, numbersEach = 1, first = 0 }: SeedSpec,
): Promise<readonly SeededTenant[]> {
  const tenants = Array.from({ length: count }, (_, place) => first + place).map((index) => ({
    key: `bench-key-quiet-${String(index).padStart(8, '0')}`,
    phoneNumberIds: Array.from({ length: numbersEach }, (__, number) =>
      String(FIRST_NUMBER + index * numbersEach + number),
    ),
  }));
  const hashes = tenants.map(({ key }) => createHash('sha256').update(key).digest('base64'));
  const database = await openDatabase(place);
  try {
    const made = await database.query(INSERT_TENANTS, [hashes, nowMs]);
    const owners = made.flatMap((row) => Array.from({ length: numbersEach }, () => row.tenant_id));
    await database.query(INSERT_NUMBERS, [owners, tenants.flatMap(({ phoneNumberIds }) => phoneNumberIds), nowMs]);
  } finally {
    await database.close();
  }
  return tenants;
}

const INSERT_TENANTS = `
with input as materialized (
  select gen_random_uuid() as tenant_id, t.* from unnest($1::text[]) with ordinality as t (key_hash, place)
), made as (
  insert into tenants (tenant_id, name, created_ms) select tenant_id, 'Quiet ' || place, $2::bigint from input
), keys as (
  insert into api_keys (tenant_id, key_id, name, mode, key_hash, hint, scopes, created_ms)
  select tenant_id, gen_random_uuid(), 'bench', 'live', key_hash, 'ench', array['messages:write'], $2::bigint from input
)
select tenant_id from input order by place`;

/** Gives further sending numbers to the tenant of the bootstrap. */
export async function seedNumbers(
  place: DatabasePlace,
  phoneNumberIds: readonly string[],
  nowMs: number,
): Promise<void> {
  const database = await openDatabase(place);
  try {
    const [row] = await database.query('select tenant_id from tenants limit 1');
    await database.query(INSERT_NUMBERS, [phoneNumberIds.map(() => row?.tenant_id), phoneNumberIds, nowMs]);
  } finally {
    await database.close();
  }
}

const INSERT_NUMBERS = `
with input as materialized (
  select * from unnest($1::uuid[], $2::text[]) as t (tenant_id, phone_number_id)
), directory as (
  insert into number_directory (phone_number_id, tenant_id) select phone_number_id, tenant_id from input
), numbers as (
  insert into phone_numbers (tenant_id, phone_number_id, display_phone, created_ms)
  select tenant_id, phone_number_id, '+' || phone_number_id, $3::bigint from input
)
insert into lane_owners (tenant_id, lane_id) select tenant_id, phone_number_id from input`;
