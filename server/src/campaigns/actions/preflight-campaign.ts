import { priceList, priceOf } from '#billing/domain/wallet';
import { listPrices } from '#billing/store/wallet-prices';
import { type Campaign, type CampaignRecipient, personalise } from '#campaigns/domain/campaign';
import { findMembers } from '#campaigns/store/campaign-audience';
import { findKnownPhones } from '#campaigns/store/campaign-recipients';
import { listResults } from '#campaigns/store/campaign-results';
import { findCampaign } from '#campaigns/store/campaigns';
import { readContactCondition } from '#contacts/actions/contact-condition';
import { countContacts } from '#contacts/store/contact-lists';
import type { Condition } from '#core/conditions/condition';
import { requireFound } from '#core/errors';
import type { ContactId, TenantId } from '#core/ids';
import { type DryRun, type DryRunDeps, dryRun } from '#messages/actions/dry-run';
import { evaluateTemplate, suppressionProblem } from '#messages/actions/send-checks';
import { currentAudience } from './move-campaign.ts';
import { chosenNumber, missingReason, recipientValues, requestOf, STOPPING } from './send-campaign.ts';

/** What a campaign would come to if it continued now. */
export interface Preflight extends DryRun {
  readonly recipients: number;
  readonly checked: number;
  /** Of those: whose message would be accepted, were it not for the blockers. */
  readonly wouldSend: number;
  /** Of those: how many would be skipped, by code. */
  readonly wouldSkip: ReadonlyMap<string, number>;
}

/** Contacts evaluated in one request; the rest is likely to be similar. */
const MAX_CHECKED = 100_000;
const PAGE = 1_000;

type Checked = Pick<CampaignRecipient, 'phone' | 'variables'>;

/** Runs the checks of every send and adds up what they find. @throws ApiProblem not_found, unknown_segment */
export async function preflightCampaign(parts: DryRunDeps, tenantId: TenantId, campaignId: string): Promise<Preflight> {
  const { rt, db } = parts;
  const campaign = requireFound(await findCampaign(db, tenantId, campaignId));
  const condition = await openCondition(parts, campaign);
  const tally: Tally = { checked: 0, sendable: [], wouldSkip: new Map() };
  for await (const page of pagesOf(parts, campaign, condition)) {
    await evaluatePage(parts, campaign, tally, page.slice(0, MAX_CHECKED - tally.checked));
    if (tally.checked >= MAX_CHECKED) break;
  }
  const waiting = campaign.total - campaign.accepted - campaign.skipped;
  const members =
    condition === null ? 0 : await countContacts(db, { tenantId, filter: { condition }, nowMs: rt.clock.now() });
  const whole = await evaluateWhole(parts, campaign, tally, waiting + members);
  const { checked, wouldSkip, sendable } = tally;
  return { ...whole, recipients: waiting + members, checked, wouldSend: sendable.length, wouldSkip };
}

interface Tally {
  checked: number;
  /** Numbers of those who would be sent to. */
  readonly sendable: string[];
  readonly wouldSkip: Map<string, number>;
}

/** The condition of an audience whose members are still to be added; null when there is none. */
async function openCondition({ db }: DryRunDeps, campaign: Campaign): Promise<Condition | null> {
  const { tenantId, audience, status, progress } = campaign;
  if (audience === null) return null;
  const begun = status !== 'draft' && status !== 'scheduled';
  if (begun && !progress.pending) return null;
  const { condition } = begun ? audience : await currentAudience(db, tenantId, audience);
  return readContactCondition(db, tenantId, { input: condition, path: 'audience' });
}

/** The waiting ones, and then contacts of the audience that are not recipients yet. */
async function* pagesOf(
  { rt, db }: DryRunDeps,
  campaign: Campaign,
  condition: Condition | null,
): AsyncIterable<readonly Checked[]> {
  for (let afterPlace = -1, full = true; full; ) {
    const waiting = { ...campaign, status: 'waiting', reason: null } as const;
    const page = await listResults(db, { ...waiting, afterPlace, offset: 0, limit: PAGE });
    yield page;
    full = page.length === PAGE;
    afterPlace = page.at(-1)?.place ?? afterPlace;
  }
  if (condition === null) return;
  const { tenantId } = campaign;
  const asOfMs = campaign.progress.asOfMs ?? rt.clock.now();
  for (let after: ContactId | null = campaign.progress.cursor, full = true; full; ) {
    const members = await findMembers(db, { tenantId, condition, asOfMs, after, limit: PAGE });
    const phones = members.flatMap(({ recipient }) => (recipient === null ? [] : [recipient]));
    const known = await findKnownPhones(db, campaign, phones);
    yield phones.flatMap((phone) => (known.has(phone) ? [] : [{ phone, variables: null }]));
    full = members.length === PAGE;
    after = members.at(-1)?.contactId ?? after;
  }
}

async function evaluatePage(
  parts: DryRunDeps,
  campaign: Campaign,
  tally: Tally,
  page: readonly Checked[],
): Promise<void> {
  const phones = page.map(({ phone }) => phone);
  const values = await recipientValues(parts.db, campaign, phones);
  const suppressions = await parts.suppressions.of(campaign.tenantId);
  const account = await accountOf(parts, campaign);
  for (const { phone, variables } of page) {
    tally.checked += 1;
    const made = personalise(campaign.template, { ...values.get(phone), ...variables });
    const template = 'missing' in made ? campaign.template : made.template;
    const request = requestOf(campaign, { phone, messageId: null, template });
    const missing = 'missing' in made ? missingReason(made.missing) : null;
    const verdict = await evaluateTemplate(parts, campaign.tenantId, request, account);
    const silent = suppressionProblem(suppressions, request, {
      category: verdict.kind === 'fits' ? verdict.category : null,
      from: campaign.phoneNumberId,
    });
    const refused = verdict.kind === 'refused' && !STOPPING.has(verdict.problem.code) ? verdict.problem : null;
    const why = silent?.code ?? missing?.code ?? refused?.code ?? null;
    if (why === null) tally.sendable.push(phone);
    else tally.wouldSkip.set(why, (tally.wouldSkip.get(why) ?? 0) + 1);
  }
}

/** The account that the messages would leave from; null when it is not known. */
async function accountOf({ numbers }: DryRunDeps, { tenantId, phoneNumberId }: Campaign): Promise<string | null> {
  const chosen = await chosenNumber(numbers, tenantId, phoneNumberId);
  return chosen === null ? null : ((await numbers.of(tenantId)).find(chosen)?.networkAccountId ?? null);
}

/** An unassigned number: checks that do not depend on the recipient give the same result for it. */
const NOBODY = '15550000000';

/** What holds for every message of the campaign. */
async function evaluateWhole(
  parts: DryRunDeps,
  campaign: Campaign,
  { sendable, checked }: Tally,
  recipients: number,
): Promise<DryRun> {
  const { tenantId, template } = campaign;
  const phone = sendable[0] ?? NOBODY;
  const of = requestOf(campaign, { phone, messageId: null, template });
  const found = await dryRun(parts, tenantId, of);
  const blockers = found.blockers.filter(({ code }) => (STOPPING as ReadonlySet<string>).has(code));
  const warnings = found.warnings.filter(({ code }) => code === 'number_paused');
  const chosen = await chosenNumber(parts.numbers, tenantId, campaign.phoneNumberId);
  const number = chosen === null ? null : (await parts.numbers.of(tenantId)).find(chosen);
  const open = blockers.length === 0 && number?.status === 'active';
  const rate = number?.ratePerSecond ?? parts.rt.config.numberRate;
  const messages = checked === 0 ? 0 : (recipients * sendable.length) / checked;
  return {
    blockers,
    warnings,
    category: found.category,
    costMicros: await costOf(parts, sendable, found.category),
    etaS: open ? (found.etaS ?? 0) + (rate === 0 ? 0 : Math.ceil(messages / rate)) : null,
  };
}

async function costOf(
  { rt, db }: DryRunDeps,
  phones: readonly string[],
  category: string | null,
): Promise<number | null> {
  if (category === null || rt.config.walletEnabled === 'false') return null;
  const prices = await listPrices(db);
  if (prices.length === 0) return null;
  const list = priceList(prices);
  const atMs = rt.clock.now();
  return phones.reduce((sum, to) => sum + priceOf(list, { category, to, atMs }), 0);
}
