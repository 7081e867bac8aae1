import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import { OPERATOR } from '#access/domain/audit';
import { addPhoneNumber } from '#accounts/actions/add-number';
import type { PhoneNumberId } from '#core/ids';
import { makeCallbackRecorder } from '#inbound/actions/record-callback';
import { DueWorkMonitor } from '#maintenance/actions/due-work';
import { OutcomeWaiters } from '#messages/actions/outcome-waiters';
import { createTemplate } from '#templates/actions/manage-templates';
import type { TemplateDefinition } from '#templates/domain/definition';
import { findTemplate } from '#templates/store/templates';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { makeIngester } from './ingester.ts';

/** Stands still: anything that waited for time to pass would wait for ever. */
const rt = testRuntime({}, new TestClock());
const ACCOUNT = '7700';
let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase(rt);
});
afterAll(() => database.drop());

const DRAFT: TemplateDefinition = {
  name: 'order_ready',
  language: 'en',
  category: 'utility',
  parameterFormat: 'positional',
  components: [{ type: 'BODY', text: 'We have moved.' }],
  messageTtlS: null,
};

async function addTemplate() {
  const { db } = database;
  const tenantId = await createTenant(rt, db, { name: 'Test', unknownResends: 1 });
  const number = { phoneNumberId: '7701' as PhoneNumberId, displayPhone: '447700900001', name: null };
  await addPhoneNumber(rt, db, { tenantId, ...number, ratePerSecond: null, networkAccountId: ACCOUNT });
  const asked = { tenantId, origin: OPERATOR, networkAccountId: null, definition: DRAFT, library: null };
  return createTemplate({ rt, db }, asked);
}

/** What the network decided of it, in one callback. */
function decided(): Buffer {
  const known = { message_template_id: 4711, message_template_name: DRAFT.name, message_template_language: 'en' };
  const changes = [
    { field: 'message_template_status_update', value: { ...known, event: 'APPROVED', reason: 'NONE' } },
    { field: 'message_template_quality_update', value: { ...known, new_quality_score: 'YELLOW' } },
    { field: 'template_category_update', value: { ...known, previous_category: 'UTILITY', new_category: 'MARKETING' } },
  ];
  const time = Math.floor(rt.clock.now() / 1000);
  return Buffer.from(JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: ACCOUNT, time, changes }] }));
}

test('P11: what the network decides of a template counts as soon as its callback is stored: nothing waits for the next look', async () => {
  const { tenantId, templateId } = await addTemplate();
  const ingester = makeIngester({
    rt,
    db: database.db,
    due: new DueWorkMonitor(rt, database.db),
    correlationKey: 'k'.repeat(32),
    watch: new OutcomeWaiters(),
  });
  const recorder = makeCallbackRecorder(rt, database.db, (callback) => ingester.offer(callback));
  const reported = new Promise<void>((resolve) => {
    rt.eventSignal.listen(() => resolve());
  });
  await recorder.record(decided());
  await reported;
  expect(await findTemplate(database.db, tenantId, templateId)).toMatchObject({
    status: 'approved',
    quality: 'yellow',
    category: 'marketing',
  });
  await ingester.stop();
  await recorder.close();
});
