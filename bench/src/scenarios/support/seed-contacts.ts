import { type DatabasePlace, openDatabase } from '../../harness/open-database.ts';

interface SeedContacts {
  readonly count: number;
  /** Milliseconds since 1970, when they were created. */
  readonly nowMs: number;
}

/** Rows per statement. */
const BATCH = 100_000;

/** Puts contacts of the only tenant straight into the tables, each with a phone number, a name and two search terms. */
export async function seedContacts(place: DatabasePlace, { count, nowMs }: SeedContacts): Promise<void> {
  const database = await openDatabase(place);
  try {
    for (let from = 0; from < count; from += BATCH)
      await database.query(INSERT, [nowMs, from, Math.min(count, from + BATCH) - 1]);
    for (const table of ['contacts', 'contact_identities', 'contact_terms'])
      await database.query(`vacuum analyze ${table}`);
  } finally {
    await database.close();
  }
}

const INSERT = `
with people as materialized (
  select t.tenant_id, gen_random_uuid() as contact_id, '4477' || lpad(n::text, 8, '0') as phone, n
  from (select tenant_id from tenants limit 1) t cross join generate_series($2::bigint, $3::bigint) n
), terms as (
  insert into contact_terms (tenant_id, term, contact_id)
  select p.tenant_id, w.term, p.contact_id from people p cross join lateral (values ('w:person'), ('w:' || p.n)) as w (term)
), identities as (
  insert into contact_identities (tenant_id, kind, value, contact_id) select tenant_id, 'phone', phone, contact_id from people
)
insert into contacts (tenant_id, contact_id, phone, name, created_ms, updated_ms)
select tenant_id, contact_id, phone, 'Person ' || n, $1::bigint, $1::bigint from people`;
