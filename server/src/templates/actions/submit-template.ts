import type { Asked } from '#accounts/domain/account-network';
import { ApiProblem, type FaultDetail, requireFound } from '#core/errors';
import type { JsonObject } from '#core/json';
import { describeFailure, isPassing } from '#core/network/transfer-failure';
import { withEvents } from '#events/actions/with-events';
import { objectsOf } from '#templates/domain/definition';
import { lintTemplate } from '#templates/domain/lint';
import type { HandedIn } from '#templates/domain/network';
import { editLimits, nextEditMs, submittableStatuses } from '#templates/domain/status';
import type { Template } from '#templates/domain/template';
import { listTemplateEdits, noteTemplateEdit } from '#templates/store/template-history';
import { findTemplate } from '#templates/store/templates';
import { categoryChange, reportedText, statusChange } from './apply-template-changes.ts';
import { emitChange, storeTemplate, type TemplateWriter } from './change-template.ts';
import { auditTemplate, requireTemplate, type TemplateRequest } from './manage-templates.ts';
import { accessTo, chooseAccount, refusalBy, type TemplateDeps } from './template-deps.ts';

/** Gives the handle of a media of the tenant for a template's header. */
export type ObtainHandle = (mediaId: string) => Promise<string>;

/** A template that was handed in so long ago and has no id yet was cut off: it may be handed in again. */
const CUT_OFF_MS = 60_000;

/**
 * Hands a template in for review. First it is marked here, then the network is asked, outside of any transaction: a process
 * that is killed in between leaves a template that is submitted without an id, which the next sync or submit puts right.
 * @param obtainHandle makes handles of media that samples name by our id
 * @throws ApiProblem not_found, precondition_failed, template_invalid with every fault, template_edit_limit, conflict,
 * refused_by_network, network_unreachable
 */
export async function submitTemplate(
  parts: TemplateDeps,
  request: TemplateRequest,
  obtainHandle: ObtainHandle,
): Promise<Template> {
  const found = requireFound(await findTemplate(parts.db, request.tenantId, request.templateId));
  refuseUnfit(found);
  const components = await withHandles(found.components, obtainHandle);
  const account = await chooseAccount(parts, found.tenantId, found.networkAccountId);
  const access = await accessTo(parts, found.tenantId, account);
  const { before, submitted } = await mark(parts, request, found.version);
  const asked = await handIn(parts, access, { before, submitted: { ...submitted, components } });
  return settle(parts, { before, submitted, asked });
}

/** What the network's own templates say is its own affair. */
function refuseUnfit(template: Template): void {
  if (template.library !== null) return;
  const details: readonly FaultDetail[] = lintTemplate(template).faults.map(({ at, message }) => ({
    path: `template.${at}`,
    message: `${at} ${message}`,
  }));
  if (details.length === 0) return;
  const sentence = `The network would reject the template: ${details.map(({ message }) => message).join('; ')}.`;
  throw new ApiProblem('template_invalid', { sentence, details });
}

/** Samples that name a media of ours, with the handle that the network wants. */
async function withHandles(
  components: readonly JsonObject[],
  obtainHandle: ObtainHandle,
): Promise<readonly JsonObject[]> {
  const done: JsonObject[] = [];
  for (const component of components) {
    const cards: JsonObject[] = [];
    for (const card of objectsOf(component.cards)) {
      cards.push({ ...card, components: await withHandles(objectsOf(card.components), obtainHandle) });
    }
    const example = objectsOf([component.example ?? null])[0];
    const mediaId = example?.media_id;
    const handle = typeof mediaId === 'string' ? await obtainHandle(mediaId) : null;
    done.push({
      ...component,
      ...(cards.length === 0 ? {} : { cards }),
      ...(handle === null ? {} : { example: { header_handle: [handle] } }),
    });
  }
  return done;
}

interface Marked {
  readonly before: Template;
  readonly submitted: Template;
}

function mark({ rt, db }: TemplateDeps, request: TemplateRequest, version: number): Promise<Marked> {
  return withEvents(rt, db, async (tx, events) => {
    const before = await requireTemplate(tx, request);
    const nowMs = rt.clock.now();
    if (before.version !== version) {
      throw new ApiProblem('conflict', { sentence: 'The template was changed at the same time. Try again.' });
    }
    refuseState(before, nowMs);
    const isEdit = before.status === 'approved';
    if (isEdit) await refuseManyEdits({ rt, tx, events, cause: 'api' }, before);
    const submitted: Template = {
      ...before,
      status: 'submitted',
      reason: null,
      submittedVersion: before.version,
      submittedMs: nowMs,
      updatedMs: nowMs,
    };
    const writer: TemplateWriter = { rt, tx, events, cause: 'api' };
    await storeTemplate(writer, before, submitted);
    if (isEdit) await noteTemplateEdit(tx, submitted, nowMs);
    await emitChange(writer, submitted, 'submitted', { version: submitted.version });
    await auditTemplate(rt, tx, submitted, { action: 'template.submitted', origin: request.origin });
    return { before, submitted };
  });
}

function refuseState(template: Template, nowMs: number): void {
  const { status, networkTemplateId, submittedMs } = template;
  const cutOff = status === 'submitted' && networkTemplateId === null && nowMs - (submittedMs ?? 0) > CUT_OFF_MS;
  if (!submittableStatuses.includes(status) && !cutOff) {
    const sentence = `The template is ${status}. It can be submitted when it is ${submittableStatuses.join(', ')}.`;
    throw new ApiProblem('conflict', { sentence });
  }
  if (status === 'approved' && template.version === template.submittedVersion) {
    throw new ApiProblem('conflict', { sentence: 'The network already has this version. Change the template first.' });
  }
}

async function refuseManyEdits({ rt, tx }: TemplateWriter, template: Template): Promise<void> {
  const nowMs = rt.clock.now();
  const edits = await listTemplateEdits(tx, template, nowMs - editLimits.monthMs);
  const nextMs = nextEditMs(edits, nowMs);
  if (nextMs === null) return;
  const { perDay, perMonth } = editLimits;
  const limits = `the network accepts ${perDay} edit of an approved template in 24 hours and ${perMonth} in 30 days`;
  const sentence = `The template can be submitted again at ${new Date(nextMs).toISOString()}: ${limits}.`;
  throw new ApiProblem('template_edit_limit', { sentence });
}

async function handIn(
  { network }: TemplateDeps,
  access: Parameters<TemplateDeps['network']['create']>[0],
  { before, submitted }: Marked,
): Promise<Asked<HandedIn>> {
  if (before.networkTemplateId === null) return network.create(access, submitted);
  const category = before.status === 'approved' ? null : submitted.category;
  const edited = await network.edit(access, before.networkTemplateId, { text: reportedText(submitted), category });
  if (!edited.ok) return edited;
  return { ok: true, value: { networkTemplateId: before.networkTemplateId, status: null, category: null } };
}

interface Settled extends Marked {
  readonly asked: Asked<HandedIn>;
}

function settle({ rt, db }: TemplateDeps, { before, submitted, asked }: Settled): Promise<Template> {
  // Whether an unanswered request was taken is not known: the template stays submitted until a callback or a sync
  // resolves it.
  if (!asked.ok && isPassing(asked.failure)) throw refusalBy(asked.failure);
  return withEvents(rt, db, async (tx, events) => {
    const writer: TemplateWriter = { rt, tx, events, cause: 'network' };
    const now = await requireTemplate(tx, { ...submitted, versions: null });
    if (asked.ok) {
      const after = withAnswer(now, asked.value, rt.clock.now());
      await storeTemplate(writer, now, after);
      return { problem: null, after };
    }
    const { status, reason, submittedVersion, submittedMs } = before;
    const back: Template = { ...now, status, reason, submittedVersion, submittedMs, updatedMs: rt.clock.now() };
    await storeTemplate(writer, now, back);
    await noteTemplateEdit(tx, now, null);
    await emitChange(writer, back, 'refused', { reason: describeFailure(asked.failure) });
    return { problem: refusalBy(asked.failure), after: back };
  }).then(({ problem, after }) => {
    if (problem !== null) throw problem;
    return after;
  });
}

/** A callback may have been faster than the answer: what it reported counts. */
function withAnswer(now: Template, { networkTemplateId, status, category }: HandedIn, nowMs: number): Template {
  const times = {
    ...now,
    networkTemplateId,
    updatedMs: nowMs,
    ...(category === null ? {} : categoryChange(now, category)),
  };
  if (now.status !== 'submitted' || status === null) return times;
  return { ...times, ...statusChange(times, { status, reason: now.reason, nowMs }) };
}
