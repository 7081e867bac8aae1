import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TenantId } from '#core/ids';
import { StatusNotes } from '#messages/actions/callback-health';
import { correlationSecret } from '#messages/domain/correlation-token';
import type { Runtime } from '#runtime/runtime';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { callbackBody } from '#testing/test-callbacks';
import { testRuntime } from '#testing/test-runtime';
import { applyCallbacks, type IngestDeps, type ParsedCallback, parseCallback } from './apply-callbacks.ts';
import { makeCallbackRecorder } from './record-callback.ts';

const PEOPLE = 6;
const START_S = 1_790_000_000;
let rt: Runtime;
let database: TestDatabase;

beforeAll(async () => {
  rt = testRuntime();
  database = await openTestDatabase(rt);
});
afterAll(() => database.drop());

const tenantId = () => rt.newId<TenantId>();

/** Callbacks as they are after they were recorded. */
async function recorded(bodies: readonly string[]): Promise<readonly ParsedCallback[]> {
  const parsed: ParsedCallback[] = [];
  const recorder = makeCallbackRecorder(rt, database.db, ({ callbackId, body }) => {
    parsed.push(parseCallback(callbackId, body.toString('utf8')));
  });
  for (const body of bodies) await recorder.record(Buffer.from(body));
  await recorder.close();
  return parsed;
}

/** What one process does at a time: everybody writes under the old number, the new one or the user id, or has changed the number. */
function bodiesOf(round: number): readonly string[] {
  return Array.from({ length: PEOPLE }, (_, person) => {
    const [was, is, userId] = [`4477009000${person}0`, `4477009000${person}1`, `GB.${person}`];
    const kind = (round + person) % 4;
    const system = { type: 'user_changed_number', wa_id: is };
    const message = [
      { from: was, from_user_id: userId },
      { from: is },
      { from_user_id: userId },
      { from: was, type: 'system', text: undefined, system },
    ][kind];
    const timestamp = String(START_S + (kind === 1 ? 9 : kind === 3 ? 5 : 1));
    const text = { type: 'text', text: { body: 'Hi' }, timestamp };
    const messages = [{ id: `wamid.${round}.${person}`, ...text, ...message }];
    return callbackBody({ phoneNumberId: '7001', messages });
  });
}

test('processes that apply callbacks about the same people, whose contacts they merge, make one contact each, without a deadlock', async () => {
  const owner = tenantId();
  const parts: IngestDeps = {
    rt,
    db: database.db,
    correlationSecret: correlationSecret('k'.repeat(32)),
    owners: { of: async () => new Map([['7001', owner]]) },
    listeners: { among: async () => new Set() },
    statusNotes: new StatusNotes(database.db),
  };
  const rounds = await Promise.all(
    Array.from({ length: 12 }, (_, round) =>
      recorded(round % 2 === 0 ? bodiesOf(round) : bodiesOf(round).toReversed()),
    ),
  );
  const counts = await Promise.all(rounds.map((callbacks) => applyCallbacks(parts, callbacks)));
  expect(counts.map(({ inbound, leftover }) => [inbound, leftover])).toEqual(rounds.map(() => [PEOPLE, 0]));
  const text = `
select c.phone, c.user_id, (
  select count(*)::int from conversations v
  where v.tenant_id = c.tenant_id and v.contact_id = c.contact_id and v.status <> 'resolved') as open
from contacts c where c.tenant_id = $1 and c.merged_into is null order by c.phone`;
  const { rows } = await database.db.run({ name: 'test_joined', text }, [owner]);
  expect(rows).toEqual(
    Array.from({ length: PEOPLE }, (_, person) => {
      return { phone: `4477009000${person}1`, user_id: `GB.${person}`, open: 1 };
    }),
  );
});
