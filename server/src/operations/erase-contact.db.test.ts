import { afterAll, beforeAll, expect, test } from 'vitest';
import { findContact } from '#storage/contacts';
import { type CampaignKit, type MadeCampaign, openCampaignKit } from '#testing/campaign-kit';
import { createContact, deleteContact } from './manage-contacts.ts';

const COUNT = 60;
const AHEAD = 40;
let kit: CampaignKit;

beforeAll(async () => {
  kit = await openCampaignKit();
});
afterAll(() => kit.close());

async function erase({ tenantId }: MadeCampaign, phone: string): Promise<void> {
  const once = await createContact(kit.rt, kit.db, { tenantId, claim: null, onConflict: 'refuse' }, { phone });
  if (once.replayed) throw new Error('Nothing can be replayed without a claim.');
  const { contactId } = once.result.contact;
  await deleteContact(kit.rt, kit.db, { tenantId, contactId, versions: null });
  expect((await findContact(kit.db, tenantId, contactId))?.phone ?? null).toBe(null);
}

test('a campaign forgets the number and the values of whoever is erased, and its counts still add up', async () => {
  const [made, other] = [await kit.make({ count: COUNT }), await kit.make({ count: 3 })];
  await kit.command(made, 'start');
  await kit.step();
  const before = await kit.recipientsOf(made);
  const [queued, waiting] = [before[0], before[COUNT - 1]];
  if (queued === undefined || waiting === undefined) throw new Error('The campaign has recipients.');
  expect([queued.status, waiting.status]).toEqual(['accepted', 'waiting']);
  for (const { phone } of [queued, waiting]) await erase(made, phone);
  const after = await kit.recipientsOf(made);
  expect(JSON.stringify(after)).not.toContain(queued.phone);
  expect(JSON.stringify(after)).not.toContain(waiting.phone);
  expect(after[0]).toMatchObject({ status: 'accepted', variables: null });
  expect(after[COUNT - 1]).toMatchObject({ status: 'skipped', variables: null, reason: { code: 'contact_erased' } });
  expect(await kit.look(made)).toMatchObject({ accepted: AHEAD, skipped: 1, total: COUNT });
  for (let n = 0; n < 3; n++) {
    await kit.settle(made);
    await kit.step();
  }
  expect(await kit.look(made)).toMatchObject({ status: 'completed', sent: COUNT - 1, skipped: 1, failed: 0 });
  expect((await kit.recipientsOf(made))[0]).toMatchObject({ status: 'sent' });
  expect((await kit.recipientsOf(other)).every(({ phone }) => /^\d+$/.test(phone))).toBe(true);
});
