import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SERVICE } from '#access/domain/audit';
import { type Campaign, RECIPIENT_MOVES } from '#campaigns/domain/campaign';
import { StorageUnavailable } from '#database/database';
import { readEvents } from '#events/store/events';
import type { MessageAcceptor } from '#messages/actions/accept-message';
import { type CampaignKit, type MadeCampaign, openCampaignKit } from '#testing/campaign-kit';
import { watchMoves } from '#testing/database/watch-moves';
import { preflightCampaign } from './preflight-campaign.ts';
import { type RetryInput, retryCampaign } from './retry-campaign.ts';

let kit: CampaignKit;
let moves: () => Promise<readonly string[]>;

beforeAll(async () => {
  kit = await openCampaignKit();
  moves = await watchMoves(kit.db, 'campaign_recipients');
});
afterAll(() => kit.close());

const NO_ORIGIN = { origin: SERVICE, versions: null };
const retry = (made: MadeCampaign, wish: Partial<RetryInput> = {}) =>
  retryCampaign(kit.rt, kit.db, { ...made, ...NO_ORIGIN }, { scope: 'failed', codes: null, ...wish });

/** Steps and settles until the campaign no longer changes. */
async function runOut(made: MadeCampaign, fault: (to: string) => string | null = () => null): Promise<Campaign> {
  for (let n = 0; n < 40; n++) {
    await kit.step();
    await kit.settle(made, fault);
    const campaign = await kit.find(made);
    if (campaign?.status !== 'running' && campaign?.status !== 'preparing') break;
  }
  await kit.step();
  const campaign = await kit.find(made);
  if (campaign === null) throw new Error('it is gone');
  return campaign;
}

/** The counts of the campaign are those of its recipients, and add up. */
async function expectReconciled(made: MadeCampaign): Promise<void> {
  const recipients = await kit.recipientsOf(made);
  const campaign = await kit.find(made);
  const by = (status: string) => recipients.filter((recipient) => recipient.status === status).length;
  const open = by('waiting') + by('taken');
  const { total, accepted, sent, failed, skipped } = campaign ?? {};
  expect({ total, accepted, sent, failed, skipped }).toEqual({
    total: recipients.length,
    accepted: by('accepted') + by('sent') + by('failed'),
    sent: by('sent'),
    failed: by('failed'),
    skipped: by('skipped'),
  });
  expect(open + by('accepted') + by('sent') + by('failed') + by('skipped')).toBe(recipients.length);
}

describe('outcomes', () => {
  test('P14: nobody gets a second message and the counts reconcile after every step, whatever is lost, killed, paused, resumed', async () => {
    const command = fc.constantFrom('step', 'lossy', 'settle', 'settle', 'pause', 'resume', 'retry', 'kill');
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 10, maxLength: 25 }), async (commands) => {
        const template = { name: 'sale', language: 'en', variables: { code: '{{code}}' } };
        const made = await kit.make({ count: 50, template, breaker: { percent: 60, of: 20 } });
        await kit.command(made, 'start');
        for (const what of commands) {
          await perform(made, what);
          await expectReconciled(made);
        }
        const phones = (await kit.messagesOf(made)).map(({ to_phone: to }) => to);
        const repeated = commands.includes('retry') ? [] : phones.filter((to, at) => phones.indexOf(to) !== at);
        expect(repeated).toEqual([]);
      }),
      { numRuns: 6, seed: 14 },
    );
    await expectDrawnMoves(
      'accepted > failed',
      'accepted > sent',
      'taken > accepted',
      'taken > skipped',
      'waiting > taken',
    );
  });

  /** Recipients changed state only as docs/state-machines.md draws it. */
  async function expectDrawnMoves(...wanted: readonly string[]): Promise<void> {
    const drawn = Object.entries(RECIPIENT_MOVES).flatMap(([from, tos]) => tos.map((to) => `${from} > ${to}`));
    const seen = await moves();
    expect(seen.filter((move) => !drawn.includes(move))).toEqual([]);
    expect(wanted.filter((move) => !seen.includes(move))).toEqual([]);
  }

  async function perform(made: MadeCampaign, what: string): Promise<void> {
    const fault = (to: string) => (Number(to) % 4 === 0 ? 'template_not_found' : null);
    if (what === 'step') await kit.step();
    else if (what === 'lossy') await kit.step(lossy());
    else if (what === 'kill') kit.clock.advance(5_000);
    else if (what === 'settle') await kit.settle(made, fault);
    else if (what === 'retry') await retry(made).catch(() => undefined);
    else await kit.command(made, what as 'pause' | 'resume').catch(() => undefined);
  }

  /** Loses every third message before it is accepted, and every fourth answer after. */
  function lossy(): Pick<MessageAcceptor, 'accept'> {
    let calls = 0;
    return {
      accept: async (...call) => {
        calls += 1;
        if (calls % 3 === 0) throw new StorageUnavailable('before');
        const outcome = await kit.acceptor.accept(...call);
        if (calls % 4 === 0) throw new StorageUnavailable('after');
        return outcome;
      },
    };
  }

  test('a message that fails after it was sent, also when the campaign is over, is a failed recipient, until it arrives after all', async () => {
    const made = await kit.make({ count: 3 });
    await kit.command(made, 'start');
    expect(await runOut(made)).toMatchObject({ status: 'completed', sent: 3, failed: 0 });
    const [recipient] = await kit.recipientsOf(made);
    const error = { code: 'recipient_unreachable', message: 'For a test.' };
    const data = { id: recipient?.messageId ?? null, to: recipient?.phone ?? '', campaign_name: 'spring', error };
    await emitEvent(made, data);
    kit.clock.advance(60_000);
    await kit.step();
    expect(await kit.find(made)).toMatchObject({ status: 'completed', sent: 2, failed: 1 });
    expect((await kit.recipientsOf(made))[0]).toMatchObject({ status: 'failed', reason: error });
    await expectReconciled(made);
    const { error: _error, ...arrived } = data;
    await emitEvent(made, arrived, 'message.sent');
    kit.clock.advance(60_000);
    await kit.step();
    expect(await kit.find(made)).toMatchObject({ status: 'completed', sent: 3, failed: 0 });
    await expectReconciled(made);
    await expectDrawnMoves('sent > failed', 'failed > sent');
  });

  test('a recipient whose step was killed, that could not be sent to, or that was skipped, moves along the drawn transitions', async () => {
    const accepted: Pick<MessageAcceptor, 'accept'> = {
      accept: async (...call) => {
        await kit.acceptor.accept(...call);
        throw new StorageUnavailable('after');
      },
    };
    const killed = await kit.make({ count: 4, breaker: null });
    const [failing] = await kit.recipientsOf(killed);
    await kit.command(killed, 'start');
    await kit.step(accepted);
    await kit.settle(killed, (to) => (to === failing?.phone ? 'recipient_unreachable' : null));
    kit.clock.advance(30_000);
    expect(await runOut(killed)).toMatchObject({ status: 'completed', sent: 3, failed: 1 });
    await expectDrawnMoves('taken > sent', 'taken > failed');
    const nobody = await kit.make({ count: 2, number: false });
    await kit.command(nobody, 'start');
    await kit.step();
    await expectDrawnMoves('taken > waiting');
    const template = { name: 'sale', language: 'en', variables: { code: '{{code}}' } };
    const made = await kit.make({ count: 3, template });
    await kit.command(made, 'start');
    expect(await runOut(made)).toMatchObject({ status: 'completed', skipped: 1 });
    expect(await retry(made, { scope: 'skipped' })).toMatchObject({ retried: 1 });
    await expectDrawnMoves('skipped > waiting');
  });

  async function emitEvent(
    { tenantId }: MadeCampaign,
    data: Record<string, unknown>,
    type: 'message.sent' | 'message.failed' = 'message.failed',
  ): Promise<void> {
    const { withEvents } = await import('#events/actions/with-events');
    await withEvents(kit.rt, kit.db, async (_tx, events) => {
      events.add({ tenantId, type, data: data as never });
    });
  }

  test('the failed are sent to again on request, each with a new message; the opted out and the unknown only by name', async () => {
    const made = await kit.make({ count: 8, breaker: null });
    const phones = (await kit.recipientsOf(made)).map(({ phone }) => phone);
    const codes = new Map([
      [phones[0], 'template_not_found'],
      [phones[1], 'delivery_unknown'],
      [phones[2], 'contact_opted_out'],
    ]);
    await kit.command(made, 'start');
    const ended = await runOut(made, (to) => codes.get(to) ?? null);
    expect(ended).toMatchObject({ status: 'completed', sent: 5, failed: 3 });
    expect((await retry(made, { scope: 'skipped' })).retried).toBe(0);
    expect((await kit.find(made))?.status).toBe('completed');
    expect(await retry(made)).toMatchObject({ retried: 1, campaign: { status: 'running' } });
    expect(await runOut(made)).toMatchObject({ status: 'completed', sent: 6, failed: 2, total: 8 });
    expect(await retry(made, { codes: ['delivery_unknown'] })).toMatchObject({ retried: 1 });
    expect(await runOut(made)).toMatchObject({ status: 'completed', sent: 7, failed: 1 });
    const sentTo = (await kit.messagesOf(made)).map(({ to_phone: to }) => to);
    expect(phones.map((phone) => sentTo.filter((to) => to === phone).length)).toEqual([2, 2, 1, 1, 1, 1, 1, 1]);
    await expectReconciled(made);
    await expectDrawnMoves('failed > waiting');
  });

  test('a campaign whose messages fail for reasons of the template pauses itself, says why, and continues when resumed', async () => {
    const made = await kit.make({ count: 200, breaker: { percent: 40, of: 50 } });
    await kit.command(made, 'start');
    const paused = await runOut(made, () => 'template_not_found');
    expect(paused).toMatchObject({ status: 'paused', sent: 0 });
    expect(paused.pauseReason).toMatch(/failed because of the template/);
    expect(paused.failed).toBeLessThanOrEqual(80);
    const ask = { tenantId: made.tenantId, after: 0, types: ['campaign.paused' as const], limit: 9 };
    expect(await readEvents(kit.db, ask)).toMatchObject([{ data: { pause_reason: paused.pauseReason } }]);
    await kit.command(made, 'resume');
    expect(await runOut(made)).toMatchObject({ status: 'completed', failed: paused.failed, skipped: 0 });
  });

  test('unreachable customers do not pause a campaign', async () => {
    const made = await kit.make({ count: 100 });
    await kit.command(made, 'start');
    expect(await runOut(made, () => 'recipient_unreachable')).toMatchObject({ status: 'completed', failed: 100 });
  });
});

describe('audience', () => {
  const COUNT = 2_300;

  async function withContacts(count: number, fields = "'VIP'"): Promise<MadeCampaign> {
    const made = await kit.make({ number: true });
    const text = `
with made as (
  insert into contacts (tenant_id, contact_id, phone, name, country, attributes, folded, created_ms, updated_ms)
  select $1, ('0190a6f2-8c20-7a10-8f00-' || lpad(to_hex(n), 12, '0'))::uuid, (447000000000 + n)::text, 'Ada ' || n, 'GB',
    jsonb_build_object('city', ${fields}), '{}', 1, 1
  from generate_series(1, $2::integer) n
  returning tenant_id, contact_id, phone
)
insert into contact_identities (tenant_id, kind, value, contact_id) select tenant_id, 'phone', phone, contact_id from made`;
    await kit.db.run({ name: `test_contacts_${fields.length}`, text }, [made.tenantId, count]);
    return made;
  }

  const everyone = { segmentId: null, condition: { field: 'contact.country', match: 'is', value: 'GB' } };

  test('is added in portions that survive kills, once each, and frozen: later changes do not matter', async () => {
    const { tenantId } = await withContacts(COUNT);
    const template = {
      name: 'sale',
      language: 'en',
      variables: { a: '{{contact.name}}', b: '{{contact.attributes.city}}' },
    };
    const made = await kit.make({ tenantId, template, audience: everyone, breaker: null });
    expect(await kit.command(made, 'start')).toMatchObject({ status: 'preparing', total: 0 });
    let statements = 0;
    const dying = {
      ...kit.db,
      kysely: kit.db.kysely,
      transaction: ((work: never) => {
        statements += 1;
        if (statements === 2) throw new StorageUnavailable('killed');
        return kit.db.transaction(work);
      }) as typeof kit.db.transaction,
      run: kit.db.run.bind(kit.db),
    };
    const { prepareCampaign } = await import('./prepare-campaign.ts');
    const claimed = await kit.find(made);
    if (claimed === null) throw new Error('it is gone');
    await expect(prepareCampaign({ rt: kit.rt, db: dying }, claimed, 1_000)).rejects.toThrow('killed');
    expect(await kit.find(made)).toMatchObject({ status: 'preparing', total: 1_000 });
    await expectReconciled(made);
    kit.clock.advance(10_000);
    await kit.step();
    expect(await kit.find(made)).toMatchObject({ status: 'running', total: COUNT });
    const gone = "update contacts set country = 'FR', name = 'Bea' where tenant_id = $1 and phone = '447000000002'";
    await kit.db.run({ name: 'test_move_away', text: gone }, [tenantId]);
    await kit.step();
    const recipients = await kit.recipientsOf(made);
    expect(new Set(recipients.map(({ phone }) => phone)).size).toBe(COUNT);
    expect((await kit.messagesOf(made))[0]?.content.variables).toEqual({ a: 'Ada 1', b: 'VIP' });
  });

  test('without recipients is a campaign that ends immediately', async () => {
    const condition = { field: 'contact.country', match: 'is', value: 'BR' };
    const made = await kit.make({ audience: { segmentId: null, condition } });
    await kit.command(made, 'start');
    expect(await runOut(made)).toMatchObject({ status: 'completed', total: 0 });
  });

  test('a preflight counts recipients, with the reasons of those excluded, and stores nothing', async () => {
    const { tenantId } = await withContacts(12, "case when n % 3 = 0 then 'Rome' end");
    const template = { name: 'sale', language: 'en', variables: { b: '{{contact.attributes.city}}' } };
    const made = await kit.make({ tenantId, template, audience: everyone });
    const before = await kit.find(made);
    const found = await preflightCampaign(kit.parts, tenantId, made.campaignId);
    expect(found).toMatchObject({ recipients: 12, checked: 12, wouldSend: 4, blockers: [], etaS: 1 });
    expect([...found.wouldSkip]).toEqual([['variable_missing', 8]]);
    expect(await kit.find(made)).toEqual(before);
    const nobody = await kit.make({ number: false, count: 2 });
    expect(await preflightCampaign(kit.parts, nobody.tenantId, nobody.campaignId)).toMatchObject({
      blockers: [{ code: 'no_sending_number' }],
      etaS: null,
    });
  });
});

test('P14: a recipient who says STOP gets nothing from the next step on, whatever is cached', () =>
  expectHalted({ blocked: false, code: 'recipient_opted_out' }));

test('P14: a blocked recipient gets nothing from the next step on, whatever is cached', () =>
  expectHalted({ blocked: true, code: 'recipient_blocked' }));

async function expectHalted({ blocked, code }: { readonly blocked: boolean; readonly code: string }): Promise<void> {
  const made = await kit.make({ count: 60 });
  await kit.command(made, 'start');
  await kit.step();
  const waiting = (await kit.recipientsOf(made)).filter(({ status }) => status === 'waiting');
  const phone = waiting[0]?.phone ?? '';
  const text =
    'insert into suppressions (tenant_id, phone_key, blocked, opted_out, change_seq) values ($1, $2, $3, not $3, 1)';
  await kit.db.run({ name: 'test_stop', text }, [made.tenantId, phone, blocked]);
  await kit.settle(made);
  await kit.step();
  const stopped = (await kit.recipientsOf(made)).find((recipient) => recipient.phone === phone);
  expect(stopped).toMatchObject({ status: 'skipped', reason: { code } });
  expect((await kit.messagesOf(made)).map(({ to_phone: to }) => to)).not.toContain(phone);
}
