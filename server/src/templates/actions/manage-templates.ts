import { audit } from '#access/actions/audit';
import { requireVersion } from '#access/actions/require-version';
import { type AuditEntry, changeDetails } from '#access/domain/audit';
import { changesBetween } from '#agents/domain/agent-events';
import type { Requester } from '#core/caller/origin';
import { ApiProblem, requireFound } from '#core/errors';
import type { TemplateId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { Database, Transaction } from '#database/database';
import { withEvents } from '#events/actions/with-events';
import type { Runtime } from '#runtime/runtime';
import { inUpperCase, sameText, type TemplateDefinition, type TemplateText } from '#templates/domain/definition';
import type { LibrarySource } from '#templates/domain/library';
import type { Template } from '#templates/domain/template';
import { findTemplate, lockNamedTemplates, lockTemplate } from '#templates/store/templates';
import { reportedText } from './apply-template-changes.ts';
import { addTemplate, storeTemplate } from './change-template.ts';
import { accessTo, chooseAccount, refusalBy, type TemplateDeps } from './template-deps.ts';

export interface NewTemplate extends Requester {
  readonly networkAccountId: string | null;
  readonly definition: TemplateDefinition;
  /** Where the text is from; null: from the tenant. */
  readonly library: LibrarySource | null;
}

/**
 * Keeps a template as a draft. It need not be fit to be handed in.
 * @throws ApiProblem unknown_network_account; conflict when the account has one of this name and language
 */
export async function createTemplate(
  parts: Pick<TemplateDeps, 'rt' | 'db'>,
  { tenantId, origin, networkAccountId, definition, library }: NewTemplate,
): Promise<Template> {
  const { rt, db } = parts;
  const account = await chooseAccount(parts, tenantId, networkAccountId);
  return withEvents(rt, db, async (tx, events) => {
    const nowMs = rt.clock.now();
    const template: Template = {
      ...definition,
      components: inUpperCase(definition.components),
      tenantId,
      templateId: rt.newId<TemplateId>(),
      networkAccountId: account.networkAccountId,
      library,
      ...FRESH,
      createdMs: nowMs,
      updatedMs: nowMs,
    };
    if (await addTemplate({ rt, tx, events, cause: 'api' }, template)) {
      await auditTemplate(rt, tx, template, { action: 'template.created', origin });
      return template;
    }
    const [there] = await lockNamedTemplates(tx, template, [template]);
    const isSame = there !== undefined && sameText(there, template) && there.library?.name === library?.name;
    if (isSame && there.status === 'draft') return there;
    const sentence = `This account already has a template ${definition.name} in ${definition.language}.`;
    throw new ApiProblem('conflict', { sentence });
  });
}

const FRESH = {
  networkTemplateId: null,
  status: 'draft',
  reason: null,
  quality: 'unknown',
  previousCategory: null,
  correctCategory: null,
  version: 1,
  submittedVersion: null,
  submittedMs: null,
  live: null,
  syncedMs: null,
  reportedMs: {},
  deletedMs: null,
} as const;

/** A request about one template. */
export interface TemplateRequest extends Requester {
  readonly templateId: string;
  /** From If-Match; null: any version. */
  readonly versions: readonly number[] | null;
}

/**
 * Changes what a template says: a new version, which the network gets when it is handed in. Until then, and until its
 * review, what was approved before is sent.
 * @throws ApiProblem not_found, precondition_failed, conflict while it is in review, or when an approved one would change
 * its category
 */
export function changeTemplateText(
  { rt, db }: Pick<TemplateDeps, 'rt' | 'db'>,
  request: TemplateRequest,
  wish: Partial<TemplateText>,
): Promise<Template> {
  return withEvents(rt, db, async (tx, events) => {
    const before = await requireTemplate(tx, request);
    if (before.status === 'submitted') {
      throw new ApiProblem('conflict', { sentence: 'The template is in review. Change it after the review.' });
    }
    const components = wish.components === undefined ? before.components : inUpperCase(wish.components);
    const text: TemplateText = { ...reportedText(before), ...wish, components };
    refuseOtherKind(before, text);
    if (sameText(text, before) && !replacesSample(wish)) return before;
    const changing = { version: before.version + 1, library: null, updatedMs: rt.clock.now() };
    const after: Template = { ...before, ...text, ...changing };
    await storeTemplate({ rt, tx, events, cause: 'api' }, before, after);
    const changed = changeDetails(changesBetween(wording(before), wording(after)), ['category', 'message_ttl_s']);
    await auditTemplate(rt, tx, after, { action: 'template.changed', origin: request.origin }, changed);
    return after;
  });
}

function wording({ category, components, parameterFormat, messageTtlS }: Template): JsonObject {
  return { category, components, parameter_format: parameterFormat, message_ttl_s: messageTtlS };
}

/** Writes which template it was and in which version, but nothing of what it says. */
export function auditTemplate(
  rt: Runtime,
  tx: Transaction,
  { tenantId, templateId, name, language, category, version }: Template,
  entry: Pick<AuditEntry, 'action' | 'origin'>,
  more: JsonObject = {},
): Promise<void> {
  const details = { name, language, category, version, ...more };
  return audit(rt, tx, { tenantId, targetId: templateId, details, ...entry });
}

/** A sample of a file is not part of the text of a template, but it must arrive. */
function replacesSample({ components = [] }: Partial<TemplateText>): boolean {
  return /"(header_handle|media_id)":/.test(JSON.stringify(components));
}

/** "category of an approved template cannot be changed"; the way its variables are written never can. */
function refuseOtherKind(before: Template, text: TemplateText): void {
  const atNetwork = before.networkTemplateId !== null;
  if (atNetwork && before.status === 'approved' && text.category !== before.category) {
    throw new ApiProblem('conflict', { sentence: 'The network does not change the category of an approved template.' });
  }
  if (atNetwork && text.parameterFormat !== before.parameterFormat) {
    const sentence = 'The parameter format of a template cannot be changed. Create a new template.';
    throw new ApiProblem('conflict', { sentence });
  }
}

/**
 * Deletes a template, at the network first when it is there. Its history stays.
 * @throws ApiProblem not_found, precondition_failed, refused_by_network, network_unreachable, conflict
 */
export async function deleteTemplate(parts: TemplateDeps, request: TemplateRequest): Promise<Template> {
  const { rt, db, network } = parts;
  const candidate = await findTemplate(db, request.tenantId, request.templateId);
  const found = requireVersion('template', candidate, request.versions);
  if (found.networkTemplateId !== null) {
    const { tenantId, networkAccountId, networkTemplateId, name } = found;
    const account = await chooseAccount(parts, tenantId, networkAccountId);
    const removed = await network.remove(await accessTo(parts, tenantId, account), { networkTemplateId, name });
    if (!removed.ok) throw refusalBy(removed.failure);
  }
  return withEvents(rt, db, async (tx, events) => {
    const before = await lockTemplate(tx, found.tenantId, found.templateId);
    await auditTemplate(rt, tx, found, { action: 'template.deleted', origin: request.origin });
    // A callback of the network was faster.
    if (before === null) return { ...found, status: 'deleted' };
    const nowMs = rt.clock.now();
    const after: Template = { ...before, status: 'deleted', live: null, deletedMs: nowMs, updatedMs: nowMs };
    await storeTemplate({ rt, tx, events, cause: 'api' }, before, after);
    return after;
  });
}

type OneTemplate = Omit<TemplateRequest, 'origin'>;

/** The template of the tenant. @throws ApiProblem not_found */
export async function readTemplate(db: Database, tenantId: TenantId, templateId: string): Promise<Template> {
  return requireFound(await findTemplate(db, tenantId, templateId));
}

/** The same, locked, in the version that the request names. @throws ApiProblem not_found, precondition_failed */
export async function requireTemplate(tx: Transaction, request: OneTemplate): Promise<Template> {
  return requireVersion('template', await lockTemplate(tx, request.tenantId, request.templateId), request.versions);
}
