import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEvents } from '#events/store/events';
import { makeHistoryKeeper } from '#maintenance/actions/keep-history';
import { type CampaignKit, openCampaignKit } from '#testing/campaign-kit';

let kit: CampaignKit;
beforeAll(async () => {
  kit = await openCampaignKit();
});
afterAll(() => kit.close());

/** As the database of another server has it that was restored here. */
async function restored(): Promise<void> {
  await makeHistoryKeeper(kit.rt, kit.db).open();
  const text = "update database_histories set server = 'other/' || server";
  await kit.db.run({ name: 'test_elsewhere', text }, []);
  await makeHistoryKeeper(kit.rt, kit.db).open();
}

test('a campaign that sends, or whose time came, is paused when the database was restored, and says so', async () => {
  const sendAtMs = kit.clock.now() + 60_000;
  const running = await kit.make({ count: 100 });
  const scheduled = await kit.make({ count: 5, sendAtMs });
  const later = await kit.make({ count: 5, sendAtMs: sendAtMs + 3_600_000 });
  for (const made of [running, scheduled, later]) await kit.command(made, 'start');
  await kit.step();
  kit.clock.advance(60_000);
  const before = (await kit.messagesOf(running)).length;
  await restored();
  for (const made of [running, scheduled]) {
    expect(await kit.find(made)).toMatchObject({
      status: 'paused',
      pauseReason: expect.stringContaining('may already have received their message'),
    });
    const types = (await readEvents(kit.db, { tenantId: made.tenantId, after: 0, types: null, limit: 500 })).map(
      ({ type }) => type,
    );
    expect(types).toContain('campaign.paused');
  }
  expect(await kit.find(later)).toMatchObject({ status: 'scheduled' });
  for (let steps = 0; steps < 3; steps += 1) await kit.step();
  expect((await kit.messagesOf(running)).length).toBe(before);
  expect(await kit.messagesOf(scheduled)).toEqual([]);
  await kit.command(scheduled, 'resume');
  await kit.step();
  expect((await kit.messagesOf(scheduled)).length).toBe(5);
});

test('a campaign whose recipients all have their outcome is left to end', async () => {
  const made = await kit.make({ count: 3 });
  await kit.command(made, 'start');
  await kit.step();
  await restored();
  expect(await kit.find(made)).toMatchObject({ status: 'running', accepted: 3 });
});
