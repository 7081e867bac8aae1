import { audit } from '#access/actions/audit';
import { requireVersion } from '#access/actions/require-version';
import { changeDetails } from '#access/domain/audit';
import type { NumberCache } from '#accounts/actions/number-cache';
import { changesBetween } from '#agents/domain/agent-events';
import type { Audience, Campaign } from '#campaigns/domain/campaign';
import type { Breaker } from '#campaigns/domain/campaign-breaker';
import { addRecipients, type NewRecipient } from '#campaigns/store/campaign-recipients';
import { deleteCampaign, insertCampaign, lockCampaign, updateCampaign } from '#campaigns/store/campaigns';
import { readContactCondition } from '#contacts/actions/contact-condition';
import { findSegment } from '#contacts/store/segments';
import type { Origin } from '#core/caller/origin';
import { ApiProblem, requireFound } from '#core/errors';
import type { CampaignId, PhoneNumberId, SegmentId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { Database, SqlRunner, Transaction } from '#database/database';
import { type CheckDeps, contentProblems } from '#messages/actions/send-checks';
import type { Runtime } from '#runtime/runtime';
import type { TemplateFields } from '#templates/domain/content';

/** Most recipients of one campaign. */
export const MAX_RECIPIENTS = 1_000_000;

/** A request that changes a campaign. */
export interface CampaignRequest {
  readonly tenantId: TenantId;
  readonly campaignId: string;
  readonly origin: Origin;
  /** From If-Match; null: any version. */
  readonly versions: readonly number[] | null;
}

export interface CampaignInput {
  readonly name: string;
  readonly template: TemplateFields;
  readonly phoneNumberId: PhoneNumberId | null;
  readonly sendAtMs: number | null;
  readonly audience: Audience | null;
  readonly breaker: Breaker | null;
}

/** The recipients that a caller wants for a campaign. */
export interface AudienceInput {
  readonly segmentId?: string | undefined;
  readonly condition?: JsonObject | undefined;
}

/**
 * The audience that a caller wishes, checked.
 * @throws ApiProblem unknown_segment, validation_failed for a condition that is none
 */
export async function readAudience(
  db: SqlRunner,
  tenantId: TenantId,
  { segmentId, condition }: AudienceInput,
): Promise<Audience> {
  if (segmentId !== undefined) return segmentAudience(db, tenantId, segmentId);
  await readContactCondition(db, tenantId, { input: condition, path: 'body.audience.when' });
  return { segmentId: null, condition: condition ?? {} };
}

/** A segment as it now is. @throws ApiProblem unknown_segment */
export async function segmentAudience(db: SqlRunner, tenantId: TenantId, segmentId: string): Promise<Audience> {
  const segment = await findSegment(db, tenantId, segmentId);
  if (segment !== null) return { segmentId: segment.segmentId as SegmentId, condition: segment.condition };
  const message = 'audience.segment_id does not name a segment of this tenant';
  const details = [{ path: 'body.audience.segment_id', message }];
  throw new ApiProblem('unknown_segment', { sentence: `${message}.`, details });
}

/**
 * What a campaign names must be the tenant's.
 * @throws ApiProblem unknown_phone_number, unknown_media, media_not_sendable
 */
export async function checkCampaign(
  parts: CheckDeps & { readonly numbers: NumberCache },
  tenantId: TenantId,
  { template, phoneNumberId = null }: Partial<CampaignInput>,
): Promise<void> {
  if (phoneNumberId !== null) (await parts.numbers.of(tenantId)).choose(phoneNumberId);
  if (template === undefined) return;
  const [problem] = await contentProblems(parts, tenantId, { type: 'template', template });
  if (problem) throw problem;
}

/** Creates a draft; checkCampaign comes before it. */
export function createCampaign(
  rt: Runtime,
  db: Database,
  { tenantId, origin }: Pick<CampaignRequest, 'tenantId' | 'origin'>,
  wish: CampaignInput,
): Promise<Campaign> {
  return db.transaction(async (tx) => {
    const campaignId = rt.newId<CampaignId>();
    const fresh = { ...wish, tenantId, campaignId, createdMs: rt.clock.now() };
    await insertCampaign(tx, fresh);
    const details = { name: wish.name };
    await audit(rt, tx, { tenantId, origin, action: 'campaign.created', targetId: campaignId, details });
    return requireFound(await lockCampaign(tx, tenantId, campaignId));
  });
}

/** Changes a draft. @throws ApiProblem not_found, precondition_failed, campaign_state */
export function changeCampaign(
  rt: Runtime,
  db: Database,
  request: CampaignRequest,
  wish: Partial<CampaignInput>,
): Promise<Campaign> {
  return db.transaction(async (tx) => {
    const before = await requireDraft(tx, request);
    const changed = await updateCampaign(tx, { ...before, ...wish, updatedMs: rt.clock.now() }, null);
    const { tenantId, origin, campaignId } = request;
    const changes = changesBetween(eventFields(before), eventFields({ ...before, ...wish }));
    const details = changeDetails(changes, ['name', 'phone_number_id', 'send_at']);
    await audit(rt, tx, { tenantId, origin, action: 'campaign.changed', targetId: campaignId, details });
    return changed;
  });
}

function eventFields({ name, template, phoneNumberId, sendAtMs, audience, breaker }: CampaignInput): JsonObject {
  const rest: JsonObject = JSON.parse(JSON.stringify({ template, audience, breaker }));
  const sendAt = sendAtMs === null ? null : new Date(sendAtMs).toISOString();
  return { name, phone_number_id: phoneNumberId, send_at: sendAt, ...rest };
}

/** Deletes a draft with its recipients. @throws ApiProblem not_found, precondition_failed, campaign_state */
export function removeCampaign(rt: Runtime, db: Database, request: CampaignRequest): Promise<void> {
  return db.transaction(async (tx) => {
    const draft = await requireDraft(tx, request);
    await deleteCampaign(tx, draft);
    const { tenantId, origin, campaignId } = request;
    await audit(rt, tx, { tenantId, origin, action: 'campaign.deleted', targetId: campaignId, details: {} });
  });
}

export interface AddedRecipients {
  readonly added: number;
  /** Numbers that were there already, or came twice. */
  readonly duplicates: number;
  readonly total: number;
}

/** Adds recipients to a draft. @throws ApiProblem not_found, campaign_state, campaign_full */
export function addCampaignRecipients(
  db: Database,
  request: Omit<CampaignRequest, 'origin'>,
  recipients: readonly NewRecipient[],
): Promise<AddedRecipients> {
  return db.transaction(async (tx) => {
    const draft = await requireDraft(tx, request);
    const unique = [...new Map(recipients.map((recipient) => [recipient.phone, recipient])).values()];
    if (draft.total + unique.length > MAX_RECIPIENTS) throw new ApiProblem('campaign_full');
    const added = await addRecipients(tx, draft, unique);
    return { added, duplicates: recipients.length - added, total: draft.total + added };
  });
}

/** A campaign, locked. @throws ApiProblem not_found, precondition_failed */
export async function requireCampaign(tx: Transaction, request: Omit<CampaignRequest, 'origin'>): Promise<Campaign> {
  const { tenantId, campaignId, versions } = request;
  return requireVersion('campaign', await lockCampaign(tx, tenantId, campaignId), versions);
}

/** A draft, locked. @throws ApiProblem not_found, precondition_failed, campaign_state */
export async function requireDraft(tx: Transaction, request: Omit<CampaignRequest, 'origin'>): Promise<Campaign> {
  const campaign = await requireCampaign(tx, request);
  if (campaign.status === 'draft') return campaign;
  const sentence = `The campaign is ${campaign.status}. Only a draft can be changed.`;
  throw new ApiProblem('campaign_state', { sentence });
}
