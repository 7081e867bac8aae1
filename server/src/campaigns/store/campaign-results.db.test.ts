import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MessageId } from '#core/ids';
import { type CampaignKit, type MadeCampaign, openCampaignKit } from '#testing/campaign-kit';
import { noteResults, putBackEnded } from './campaign-results.ts';

let kit: CampaignKit;
beforeAll(async () => {
  kit = await openCampaignKit();
});
afterAll(() => kit.close());

const SKIPPED = { code: 'contact_opted_out', message: 'x' };
const FAILED = { code: 'template_not_found', message: 'x' };

/** A campaign with a skipped recipient, whose message was accepted all the same, and a failed one. */
async function makeEnded(): Promise<MadeCampaign & { readonly messages: readonly [MessageId, MessageId] }> {
  const made = await kit.make({ count: 2 });
  const messages = [kit.rt.newId<MessageId>(), kit.rt.newId<MessageId>()] as const;
  for (const [place, fields] of [
    [0, ['skipped', messages[0], JSON.stringify(SKIPPED)]],
    [1, ['failed', messages[1], JSON.stringify(FAILED)]],
  ] as const) {
    const text = `update campaign_recipients set status = $3, message_id = $4, reason = $5::jsonb
      where tenant_id = $1 and campaign_id = $2 and place = ${place}`;
    await kit.db.run({ name: '', text }, [made.tenantId, made.campaignId, ...fields]);
  }
  const text = `update campaigns set accepted = 1, failed = 1, skipped = 1, next_place = 2 where campaign_id = $1`;
  await kit.db.run({ name: '', text }, [made.campaignId]);
  return { ...made, messages };
}

async function stateOf(made: MadeCampaign): Promise<readonly unknown[]> {
  const { accepted, sent, failed, skipped } = (await kit.find(made)) ?? {};
  const recipients = await kit.recipientsOf(made);
  return [{ accepted, sent, failed, skipped }, ...recipients.map(({ status, messageId }) => [status, messageId])];
}

test('a message that left though its recipient was skipped counts as accepted and sent, and no longer as skipped', async () => {
  const made = await makeEnded();
  const [messageId] = made.messages;
  const phone = (await kit.recipientsOf(made))[0]?.phone ?? '';
  await kit.db.transaction((tx) => noteResults(tx, made, [{ messageId, phone, reason: null }]));
  expect(await stateOf(made)).toEqual([
    { accepted: 2, sent: 1, failed: 1, skipped: 0 },
    ['sent', messageId],
    ['failed', made.messages[1]],
  ]);
});

test('of those sent to again the skipped keep their message, so that it cannot leave twice, and the failed get another', async () => {
  const made = await makeEnded();
  const scope = { ...made, statuses: ['failed', 'skipped'], codes: null, except: [], limit: 10 } as const;
  expect(await kit.db.transaction((tx) => putBackEnded(tx, scope))).toBe(2);
  expect(await stateOf(made)).toEqual([
    { accepted: 0, sent: 0, failed: 0, skipped: 0 },
    ['waiting', made.messages[0]],
    ['waiting', null],
  ]);
});

test('reasons that are left out stay as they are, and a campaign that stands before them goes no further back than it is', async () => {
  const made = await makeEnded();
  const text = 'update campaigns set next_place = 0 where campaign_id = $1';
  await kit.db.run({ name: '', text }, [made.campaignId]);
  const scope = { ...made, statuses: ['failed', 'skipped'], codes: null, except: [SKIPPED.code], limit: 10 } as const;
  expect(await kit.db.transaction((tx) => putBackEnded(tx, scope))).toBe(1);
  expect((await stateOf(made)).slice(1)).toEqual([
    ['skipped', made.messages[0]],
    ['waiting', null],
  ]);
  const next = 'select next_place from campaigns where campaign_id = $1';
  expect((await kit.db.run({ name: '', text: next }, [made.campaignId])).rows).toEqual([{ next_place: 0 }]);
});
