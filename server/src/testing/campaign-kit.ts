import { createTenant } from '#access/actions/manage-tenants';
import { SERVICE } from '#access/domain/audit';
import { addPhoneNumber } from '#accounts/actions/add-number';
import { makeNumberCache } from '#accounts/actions/number-cache';
import { makeBillingGate } from '#billing/actions/billing-gate';
import { CampaignOutcomeFeed } from '#campaigns/actions/campaign-outcome-feed';
import { addCampaignRecipients, type CampaignInput, createCampaign } from '#campaigns/actions/manage-campaigns';
import { type CampaignCommand, commandCampaign } from '#campaigns/actions/move-campaign';
import { runCampaigns } from '#campaigns/actions/run-campaigns';
import { DEFAULT_BREAKER } from '#campaigns/domain/campaign-breaker';
import { listResults } from '#campaigns/store/campaign-results';
import { findCampaign } from '#campaigns/store/campaigns';
import { makeSuppressionCache } from '#contacts/actions/suppression-cache';
import type { CampaignId, MessageId, PhoneNumberId, TenantId } from '#core/ids';
import { queueState } from '#core/queue-state';
import { emitChanges, withEvents } from '#events/actions/with-events';
import { makeMediaCache } from '#media/actions/media-cache';
import { type MessageAcceptor, makeAcceptor } from '#messages/actions/accept-message';
import { settleOthers, settleSent } from '#messages/store/settle-batch';
import { makeTemplateCache } from '#templates/actions/template-cache';
import type { TemplateFields } from '#templates/domain/content';
import { openTestDatabase } from './database/test-database.ts';
import { TestClock, testRuntime } from './test-runtime.ts';

export interface MadeCampaign {
  readonly tenantId: TenantId;
  readonly campaignId: CampaignId;
}

export interface MakeCampaign extends Partial<CampaignInput> {
  readonly count?: number;
  readonly number?: boolean;
  readonly tenantId?: TenantId;
}

export const STEP_MS = 250;
const plain: TemplateFields = { name: 'sale', language: 'en' };

export type CampaignKit = Awaited<ReturnType<typeof openCampaignKit>>;

/** What runs campaigns, on a database of its own and without a dispatcher: its part is `settle`. */
export async function openCampaignKit(config: Parameters<typeof testRuntime>[0] = {}) {
  const clock = new TestClock();
  const rt = testRuntime({ numberRate: 20, ...config }, clock);
  const database = await openTestDatabase(rt);
  const { db } = database;
  const parts = {
    rt,
    db,
    numbers: makeNumberCache(rt, db),
    media: makeMediaCache(rt, db),
    gate: makeBillingGate(rt, db),
    templates: makeTemplateCache(rt, db),
    suppressions: makeSuppressionCache(rt, db),
  };
  const outcomeFeed = new CampaignOutcomeFeed();
  outcomeFeed.listen(rt);
  const acceptor = makeAcceptor({ ...parts, notifyLane: () => undefined });
  let phones = 447_700_000_000;
  const freshPhone = () => String(++phones);
  const rows = async <Row>(name: string, text: string, values: readonly unknown[]) =>
    (await db.run<Row>({ name: `test_${name}`, text }, values)).rows;

  async function giveNumber(tenantId: TenantId): Promise<unknown> {
    const number = { phoneNumberId: freshPhone() as PhoneNumberId, displayPhone: freshPhone(), name: null };
    return addPhoneNumber(rt, db, { tenantId, ...number, ratePerSecond: null });
  }

  async function make({ count = 0, number = true, ...wish }: MakeCampaign = {}): Promise<MadeCampaign> {
    const tenantId = wish.tenantId ?? (await createTenant(rt, db, { name: 'Test', unknownResends: 1 }));
    if (number && wish.tenantId === undefined) await giveNumber(tenantId);
    const draft = {
      ...{ name: 'spring', template: plain, phoneNumberId: null, sendAtMs: null, audience: null },
      ...{ breaker: DEFAULT_BREAKER },
      ...wish,
    };
    const { campaignId } = await createCampaign(rt, db, { tenantId, origin: SERVICE }, draft);
    const recipients = Array.from({ length: count }, (_, n) => ({
      phone: freshPhone(),
      variables: n % 3 === 0 ? null : { code: `C${n}` },
    }));
    const key = { tenantId, campaignId, versions: null };
    if (count > 0) await addCampaignRecipients(db, key, recipients);
    return { tenantId, campaignId };
  }

  /** The dispatcher's part: what is queued leaves, but for those of whom `fault` names the code of a failure. */
  async function settle(
    { tenantId }: MadeCampaign,
    fault: (to: string) => string | null = () => null,
  ): Promise<number> {
    const text = 'select message_id, to_phone from send_queue where tenant_id = $1 order by message_id';
    const queued = await rows<{ message_id: MessageId; to_phone: string }>('queued', text, [tenantId]);
    const nowMs = rt.clock.now();
    const left = queued.filter(({ to_phone: to }) => fault(to) === null);
    const sent = left.map(({ message_id: messageId }) => {
      return { tenantId, messageId, networkMessageId: `wamid.${messageId}`, attempt: 1, acceptedMs: nowMs };
    });
    rt.eventSignal.notify((await settleSent(db, sent, nowMs)).told);
    await withEvents(rt, db, async (tx, events) => {
      const refused = queued.flatMap(({ message_id: messageId, to_phone: to }) => {
        const code = fault(to);
        if (code === null) return [];
        const error = { code, message: 'For a test.', networkCode: null, retryable: false };
        const trace = { atMs: nowMs, event: 'refused', detail: code } as const;
        const settlement = { kind: 'failed', error } as const;
        return [
          {
            tenantId,
            messageId,
            epoch: null,
            fromState: queueState.ready,
            attempt: 1,
            nowMs,
            settlement,
            trace,
          } as const,
        ];
      });
      if (refused.length > 0) emitChanges(events, await settleOthers(tx, refused));
    });
    return queued.length;
  }

  return {
    rt,
    db,
    clock,
    parts,
    acceptor,
    outcomeFeed,
    make,
    giveNumber,
    freshPhone,
    settle,
    command: ({ tenantId, campaignId }: MadeCampaign, what: CampaignCommand) =>
      commandCampaign(rt, db, { tenantId, campaignId, origin: SERVICE, versions: null }, what),
    find: ({ tenantId, campaignId }: MadeCampaign) => findCampaign(db, tenantId, campaignId),
    recipientsOf: (made: MadeCampaign) =>
      listResults(db, { ...made, status: null, reason: null, afterPlace: -1, offset: 0, limit: 10_000 }),
    messagesOf: ({ tenantId }: MadeCampaign) =>
      rows<{
        to_phone: string;
        campaign_name: string;
        author_id: string;
        author_kind: number;
        content: { variables?: Record<string, string> };
      }>(
        'messages',
        'select to_phone, campaign_name, author_id, author_kind, content from outbound_messages where tenant_id = $1 order by message_id',
        [tenantId],
      ),
    step: async (wrapped: Pick<MessageAcceptor, 'accept'> = acceptor): Promise<number> => {
      const steps = await runCampaigns({ rt, db, outcomeFeed, acceptor: wrapped, numbers: parts.numbers });
      clock.advance(STEP_MS);
      return steps;
    },
    close: async () => {
      await acceptor.close();
      await database.drop();
    },
  };
}
