import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '#database/database';
import { type CampaignKit, type MadeCampaign, openCampaignKit, STEP_MS } from '#testing/campaign-kit';
import { CampaignOutcomeFeed } from './campaign-outcome-feed.ts';
import { runCampaigns } from './run-campaigns.ts';

let kit: CampaignKit;
beforeAll(async () => {
  kit = await openCampaignKit();
});
afterAll(() => kit.close());

/** The database with a count of its statements by name. */
function counting(db: Database): { readonly db: Database; readonly counts: Map<string, number> } {
  const counts = new Map<string, number>();
  const run: Database['run'] = (statement, parameters) => {
    counts.set(statement.name, (counts.get(statement.name) ?? 0) + 1);
    return db.run(statement, parameters);
  };
  return { db: Object.create(db, { run: { value: run } }) as Database, counts };
}

/** Campaigns of one tenant with messages that were just sent. */
async function makeSent(campaigns: number): Promise<readonly MadeCampaign[]> {
  const first = await kit.make({ count: 5, name: 'sale 0' });
  const { tenantId } = first;
  const made = [first];
  for (let n = 1; n < campaigns; n += 1) made.push(await kit.make({ count: 5, name: `sale ${n}`, tenantId }));
  for (const one of made) await kit.command(one, 'start');
  for (let n = 0; n < 3; n += 1) await kit.step();
  await kit.settle(first);
  return made;
}

/** How often the events are read in a step of so many campaigns. */
async function readsWith(campaigns: number): Promise<number> {
  const made = await makeSent(campaigns);
  const { db, counts } = counting(kit.db);
  const steps = await runCampaigns({ ...kit.parts, db, acceptor: kit.acceptor, outcomeFeed: kit.outcomeFeed });
  kit.clock.advance(STEP_MS);
  expect(steps).toBeGreaterThanOrEqual(campaigns);
  for (const one of made) expect(await kit.find(one)).toMatchObject({ status: 'completed', sent: 5 });
  return counts.get('events_read_pages') ?? 0;
}

test('a campaign that waits for its messages is stepped when one of them is reported, and otherwise rarely', async () => {
  const made = await kit.make({ count: 5 });
  await kit.command(made, 'start');
  for (let n = 0; n < 3; n += 1) await kit.step();
  // No other campaign is there yet that would be stepped.
  const idle: number[] = [];
  for (let n = 0; n < 6; n += 1) idle.push(await kit.step());
  expect(idle.reduce((sum, steps) => sum + steps, 0)).toBeLessThanOrEqual(1);
  await kit.settle(made);
  await kit.step();
  expect(await kit.find(made)).toMatchObject({ status: 'completed', sent: 5 });
});

test('the events of a tenant are read as often for eight running campaigns as for one', async () => {
  const one = await readsWith(1);
  expect(one).toBeGreaterThan(0);
  expect(await readsWith(8)).toBe(one);
});

test('campaigns that ask in one round, concurrently or one after another, share one read of the events', async () => {
  const made = await makeSent(4);
  const running = (await Promise.all(made.map(kit.find))).filter((one) => one !== null);
  const { db, counts } = counting(kit.db);
  // It received no signal before, so that the campaigns themselves are the first to ask.
  const round = new CampaignOutcomeFeed().round(db);
  const atOnce = await Promise.all(running.map((one) => round.outcomesFor(one, running)));
  const [first] = running;
  if (first === undefined) throw new Error('There is no campaign.');
  const later = await round.outcomesFor(first, running);
  expect(atOnce.map(({ outcomes }) => outcomes.length)).toEqual(made.map(() => 5));
  expect(later).toEqual(atOnce[0]);
  // Each look begins with it.
  expect(counts.get('events_last_sequence')).toBe(1);
});

test('what this process got no signal of is recorded too, a little later', async () => {
  const deaf = new CampaignOutcomeFeed();
  const step = () => runCampaigns({ ...kit.parts, acceptor: kit.acceptor, outcomeFeed: deaf });
  const made = await kit.make({ count: 5 });
  await kit.command(made, 'start');
  await step();
  await kit.settle(made);
  for (let n = 0; n < 12; n += 1) {
    kit.clock.advance(STEP_MS);
    await step();
  }
  expect(await kit.find(made)).toMatchObject({ status: 'completed', sent: 5 });
});
