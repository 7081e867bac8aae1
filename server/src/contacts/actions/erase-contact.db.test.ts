import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATOR } from '#access/domain/audit';
import { CampaignOutcomeFeed } from '#campaigns/actions/campaign-outcome-feed';
import { addCampaignRecipients } from '#campaigns/actions/manage-campaigns';
import { runCampaigns } from '#campaigns/actions/run-campaigns';
import { RECIPIENT_MOVES } from '#campaigns/domain/campaign';
import { findContact } from '#contacts/store/contacts';
import { StorageUnavailable } from '#database/database';
import { deleteContact } from '#erasure/actions/delete-contact';
import { type CampaignKit, type MadeCampaign, openCampaignKit } from '#testing/campaign-kit';
import { watchMoves } from '#testing/database/watch-moves';
import { createContact } from './manage-contacts.ts';

const COUNT = 60;
const AHEAD = 40;
let kit: CampaignKit;
let moves: () => Promise<readonly string[]>;

beforeAll(async () => {
  kit = await openCampaignKit();
  moves = await watchMoves(kit.db, 'campaign_recipients');
});
afterAll(() => kit.close());

/** What docs/state-machines.md draws. */
const drawnMoves = Object.entries(RECIPIENT_MOVES).flatMap(([from, tos]) => tos.map((to) => `${from} > ${to}`));

async function erase({ tenantId }: MadeCampaign, phone: string): Promise<void> {
  const { contact } = await createContact(kit.rt, kit.db, { tenantId, onConflict: 'refuse' }, { phone });
  const { contactId } = contact;
  await deleteContact(kit.rt, kit.db, { tenantId, contactId, versions: null, origin: OPERATOR });
  expect((await findContact(kit.db, tenantId, contactId))?.phone ?? null).toBe(null);
}

test('a campaign forgets the number and the values of an erased recipient, and its counts still add up', async () => {
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
  expect(await kit.find(made)).toMatchObject({ accepted: AHEAD, skipped: 1, total: COUNT });
  for (let n = 0; n < 3; n++) {
    await kit.settle(made);
    await kit.step();
  }
  expect(await kit.find(made)).toMatchObject({ status: 'completed', sent: COUNT - 2, skipped: 1, failed: 1 });
  expect((await kit.recipientsOf(made))[0]).toMatchObject({ status: 'failed', reason: { code: 'contact_erased' } });
  expect((await kit.recipientsOf(other)).every(({ phone }) => /^\d+$/.test(phone))).toBe(true);
});

/** Longer than a step may take: another process continues. */
const STEP_IS_OVER_MS = 30_000;
const template = { name: 'sale', language: 'en', variables: { code: '{{code}}' } };

/** Two recipients; the second one has a value for the template. */
async function makeCampaign(): Promise<{ made: MadeCampaign; phones: readonly string[] }> {
  const made = await kit.make({ count: 0, template });
  const phones = [kit.freshPhone(), kit.freshPhone()];
  const key = { ...made, versions: null };
  const recipients = phones.map((phone) => ({ phone, variables: { code: phone } }));
  await addCampaignRecipients(kit.db, key, recipients);
  await kit.command(made, 'start');
  return { made, phones };
}

/** What the campaign counts is what was accepted, once all of it has left or failed. */
async function expectReconciled(made: MadeCampaign, failed: number): Promise<void> {
  for (let n = 0; n < 2; n++) {
    kit.clock.advance(STEP_IS_OVER_MS);
    await kit.settle(made);
    await kit.step();
  }
  const { length } = await kit.messagesOf(made);
  const skipped = 2 - length;
  expect(await kit.find(made)).toMatchObject({
    status: 'completed',
    accepted: length,
    sent: length - failed,
    failed,
    skipped,
  });
  const statuses = (await kit.recipientsOf(made)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 'sent')).toHaveLength(length - failed);
}

test('erased between the step that took them and the next one, a recipient counts by whether its message was accepted', async () => {
  const { made, phones } = await makeCampaign();
  const [accepted = ''] = phones;
  await kit.step({
    accept: async (...call) => {
      if (call[1].to === accepted) await kit.acceptor.accept(...call);
      throw new StorageUnavailable('The process dies before it notes what it did.');
    },
  });
  expect((await kit.recipientsOf(made)).map(({ status }) => status)).toEqual(['taken', 'taken']);
  for (const phone of phones) await erase(made, phone);
  kit.clock.advance(STEP_IS_OVER_MS);
  await kit.step();
  expect(await kit.recipientsOf(made)).toMatchObject([
    { status: 'failed', reason: { code: 'contact_erased' } },
    { status: 'skipped', reason: { code: 'contact_erased' } },
  ]);
  await expectReconciled(made, 1);
});

test('a message counts that a slow step accepts after another one gave its erased recipient up', async () => {
  const { made, phones } = await makeCampaign();
  const [slow = ''] = phones;
  await kit.step({
    accept: async (...call) => {
      if (call[1].to !== slow) throw new StorageUnavailable('Not this one.');
      await erase(made, slow);
      kit.clock.advance(STEP_IS_OVER_MS);
      await runCampaigns({ ...kit.parts, acceptor: kit.acceptor, outcomeFeed: new CampaignOutcomeFeed() });
      expect((await kit.recipientsOf(made))[0]).toMatchObject({ status: 'skipped' });
      return kit.acceptor.accept(...call);
    },
  });
  expect(await kit.messagesOf(made)).toHaveLength(2);
  await expectReconciled(made, 0);
  const seen = await moves();
  expect(seen).toEqual(expect.arrayContaining(['skipped > sent', 'waiting > skipped']));
  expect(seen.filter((move) => !drawnMoves.includes(move))).toEqual([]);
});
