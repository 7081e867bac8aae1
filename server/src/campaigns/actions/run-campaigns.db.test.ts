import { afterAll, beforeAll, expect, test } from 'vitest';
import { authorKindNumber } from '#core/caller/author';
import { StorageUnavailable } from '#database/database';
import { readEvents } from '#events/store/events';
import type { MessageAcceptor } from '#messages/actions/accept-message';
import { type CampaignKit, type MadeCampaign, openCampaignKit, STEP_MS } from '#testing/campaign-kit';
import { CampaignOutcomeFeed } from './campaign-outcome-feed.ts';
import { runCampaigns } from './run-campaigns.ts';

const AHEAD = 40;
const plain = { name: 'sale', language: 'en' };
let kit: CampaignKit;

beforeAll(async () => {
  kit = await openCampaignKit();
});
afterAll(() => kit.close());

async function expectDone(made: MadeCampaign, counts: { accepted: number; skipped: number }): Promise<void> {
  // What is queued leaves, and the campaign records it.
  for (let n = 0; n < 3; n++) {
    await kit.settle(made);
    await kit.step();
  }
  const campaign = await kit.find(made);
  expect(campaign).toMatchObject({
    status: 'completed',
    sent: counts.accepted,
    ...counts,
    total: counts.accepted + counts.skipped,
  });
  const accepted = (await kit.recipientsOf(made)).filter(({ status }) => status === 'sent');
  const messages = await kit.messagesOf(made);
  expect(messages.map(({ to_phone }) => to_phone).toSorted()).toEqual(accepted.map(({ phone }) => phone).toSorted());
  expect(accepted).toHaveLength(counts.accepted);
}

test('every recipient gets one message under the name of the campaign, a few seconds ahead of the number', async () => {
  const made = await kit.make({ count: 100 });
  await kit.command(made, 'start');
  await kit.step();
  expect(await kit.messagesOf(made)).toHaveLength(AHEAD);
  await kit.step();
  expect(await kit.messagesOf(made)).toHaveLength(AHEAD);
  for (let n = 0; n < 3; n++) {
    await kit.settle(made);
    await kit.step();
  }
  await expectDone(made, { accepted: 100, skipped: 0 });
  const author = { author_kind: authorKindNumber('campaign'), author_id: made.campaignId };
  for (const message of await kit.messagesOf(made))
    expect(message).toMatchObject({ campaign_name: 'spring', ...author });
  const events = await readEvents(kit.db, {
    tenantId: made.tenantId,
    after: 0,
    types: ['campaign.started', 'campaign.completed'],
    limit: 9,
  });
  expect(events.map(({ type, data }) => [type, data.accepted])).toEqual([
    ['campaign.started', 0],
    ['campaign.completed', 100],
  ]);
});

test('killed at any moment of any step, each recipient still gets exactly one message', async () => {
  const made = await kit.make({ count: 90, template: { ...plain, variables: { code: '{{code}}' } } });
  await kit.command(made, 'start');
  let calls = 0;
  // Every third message is accepted and its answer lost; every fifth is lost before it is accepted.
  const dying: Pick<MessageAcceptor, 'accept'> = {
    accept: async (...call) => {
      calls += 1;
      if (calls % 5 === 0) throw new StorageUnavailable('before');
      const outcome = await kit.acceptor.accept(...call);
      if (calls % 3 === 0) throw new StorageUnavailable('after');
      return outcome;
    },
  };
  for (let n = 0; n < 60 && (await kit.find(made))?.status === 'running'; n++) {
    await kit.settle(made);
    await kit.step(dying);
    // A process that dies after taking: the next one continues once its time is over.
    if (n % 4 === 0) kit.clock.advance(30_000);
  }
  await expectDone(made, { accepted: 60, skipped: 30 });
  const skipped = (await kit.recipientsOf(made)).filter(({ status }) => status === 'skipped');
  expect(new Set(skipped.map(({ reason }) => reason?.code))).toEqual(new Set(['variable_missing']));
});

test('concurrent processes send each recipient one message', async () => {
  const made = await kit.make({ count: 70 });
  await kit.command(made, 'start');
  const processes = [kit.outcomeFeed, new CampaignOutcomeFeed(), new CampaignOutcomeFeed()];
  for (let n = 0; n < 12 && (await kit.find(made))?.status === 'running'; n++) {
    await kit.settle(made);
    const parts = { rt: kit.rt, db: kit.db, acceptor: kit.acceptor, numbers: kit.parts.numbers };
    await Promise.all(processes.map((outcomeFeed) => runCampaigns({ ...parts, outcomeFeed })));
    kit.clock.advance(STEP_MS);
  }
  await expectDone(made, { accepted: 70, skipped: 0 });
});

test('a paused campaign queues nothing more, and continues where it was when it is resumed', async () => {
  const made = await kit.make({ count: 60 });
  await kit.command(made, 'start');
  await kit.step();
  await kit.command(made, 'pause');
  await kit.settle(made);
  await kit.step();
  expect(await kit.messagesOf(made)).toHaveLength(AHEAD);
  await kit.command(made, 'resume');
  await kit.step();
  await expectDone(made, { accepted: 60, skipped: 0 });
});

test('a canceled campaign takes back what still waits', async () => {
  const made = await kit.make({ count: 60 });
  await kit.command(made, 'start');
  await kit.step();
  await kit.command(made, 'cancel');
  const text = 'select count(*)::integer as n from send_queue where tenant_id = $1';
  expect((await kit.db.run({ name: 'test_waiting', text }, [made.tenantId])).rows).toEqual([{ n: 0 }]);
  await kit.step();
  expect(await kit.messagesOf(made)).toHaveLength(AHEAD);
  expect(await kit.find(made)).toMatchObject({ status: 'canceled', accepted: AHEAD });
});

test('a scheduled campaign starts at its time and not before', async () => {
  const made = await kit.make({ count: 3, sendAtMs: kit.clock.now() + 60_000 });
  expect((await kit.command(made, 'start')).status).toBe('scheduled');
  await kit.step();
  expect(await kit.messagesOf(made)).toHaveLength(0);
  kit.clock.advance(60_000);
  await kit.step();
  await kit.step();
  await expectDone(made, { accepted: 3, skipped: 0 });
});

test('a campaign that cannot send to anyone pauses with the reason, and loses no recipient', async () => {
  const made = await kit.make({ count: 5, number: false });
  await kit.command(made, 'start');
  await kit.step();
  expect(await kit.find(made)).toMatchObject({ status: 'paused', accepted: 0, skipped: 0 });
  expect((await kit.find(made))?.pauseReason).toMatch(/no active sending number/);
  await kit.giveNumber(made.tenantId);
  kit.clock.advance(10_000);
  await kit.command(made, 'resume');
  await kit.step();
  await expectDone(made, { accepted: 5, skipped: 0 });
});
