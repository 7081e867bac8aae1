import type { FastifyRequest } from 'fastify';
import { dropNulls } from '#compat/domain/send-body';
import { ApiProblem } from '#core/errors';
import { isUuid } from '#core/ids';
import type { JsonObject, JsonValue } from '#core/json';
import type { RouteContext } from '#http/deps';
import type { Operation } from '#http/operation';
import { principalOf, requesterOf } from '#http/plugins/auth';
import { bodyValidator } from '#http/validation/ajv';
import { problemOf, validationProblem } from '#http/validation/faults';
import { obtainMediaHandle } from '#media/actions/obtain-handle';
import { createTemplate, deleteTemplate, type NewTemplate } from '#templates/actions/manage-templates';
import { submitTemplate } from '#templates/actions/submit-template';
import { templateCategories } from '#templates/domain/definition';
import type { TemplateStatus } from '#templates/domain/status';
import type { Template } from '#templates/domain/template';
import { CreateTemplate } from '#templates/http/schemas/template';
import { definitionOf } from '#templates/http/templates';
import { listTemplateAccounts } from '#templates/store/template-accounts';
import { listTemplatesPage, type TemplateFilter } from '#templates/store/templates';
import { AnyBody, networkRoutes } from './network-operation.ts';

const PATH = '/:id(^\\d+$)/message_templates';
/** What the network lists without being asked for more, and the most that it lists. */
const PAGE = { usual: 25, most: 250 };

/** GET /{account id}/message_templates, newest first. Drafts are nothing that the network knows. */
export const networkListTemplatesRoutes: readonly Operation[] = networkRoutes({
  method: 'GET',
  path: PATH,
  operationId: 'networkListTemplates',
  scope: 'templates:read',
  errors: ['not_found'],
  handle: (context) => async (request) => {
    const networkAccountId = await ownAccount(context, request);
    const query = request.query as Readonly<Record<string, string | undefined>>;
    const { tenantId } = principalOf(request);
    const after = query.after ?? null;
    if (after !== null && !isUuid(after)) throw problemOf([{ path: 'query.after', message: 'after is no cursor.' }]);
    const window = { limit: limitOf(query.limit), offset: 0, beforeId: after };
    const page = await listTemplatesPage(context.db, tenantId, { networkAccountId, ...filterOf(query) }, window);
    const shown = page.items.filter(({ status }) => status !== 'draft');
    const last = page.hasMore ? page.items.at(-1)?.templateId : undefined;
    return {
      data: shown.map(presentTemplateNode),
      ...(last === undefined ? {} : { paging: { cursors: { after: last } } }),
    };
  },
});

/** POST /{account id}/message_templates: kept as a draft and submitted at once. */
export const networkCreateTemplateRoutes: readonly Operation[] = networkRoutes({
  method: 'POST',
  path: PATH,
  operationId: 'networkCreateTemplate',
  scope: 'templates:write',
  body: AnyBody,
  takesIdempotencyKey: 'within',
  errors: ['not_found', 'network_unreachable', 'handle_unavailable'],
  handle: (context) => async (request, _reply, once) => {
    const networkAccountId = await ownAccount(context, request);
    const definition = definitionOf(readTemplate(request.body as JsonObject));
    return once.run(async () => {
      const { id, status, category } = presentTemplateNode(
        await submitNew(context, request, { networkAccountId, definition }),
      );
      return { id, status, category } as JsonObject;
    });
  },
});

/** Creates a template and submits it. One that is refused leaves no draft behind, which the next attempt would run into. */
async function submitNew(
  context: RouteContext,
  request: FastifyRequest,
  fields: Pick<NewTemplate, 'networkAccountId' | 'definition'>,
): Promise<Template> {
  const requester = requesterOf(request);
  const beganMs = context.rt.clock.now();
  const { templateId, createdMs } = await createTemplate(context, { ...requester, ...fields });
  const asked = { ...requester, templateId, versions: null };
  const obtain = (mediaId: string) => obtainMediaHandle(context, requester.tenantId, mediaId);
  try {
    return await submitTemplate(context.templates, asked, obtain);
  } catch (error) {
    // A draft that was there before is somebody's work; what a failure of ours leaves is put right by the next sync.
    const isRefused = error instanceof ApiProblem && error.status < 500;
    if (isRefused && createdMs >= beganMs) await deleteTemplate(context.templates, asked);
    throw error;
  }
}

/** DELETE /{account id}/message_templates?name=: in all its languages, or the one that hsm_id names. */
export const networkDeleteTemplateRoutes: readonly Operation[] = networkRoutes({
  method: 'DELETE',
  path: PATH,
  operationId: 'networkDeleteTemplate',
  scope: 'templates:write',
  errors: ['not_found', 'network_unreachable'],
  handle: (context) => async (request) => {
    const networkAccountId = await ownAccount(context, request);
    const { name, hsm_id: id } = request.query as Readonly<Record<string, string | undefined>>;
    if (name === undefined) throw problemOf([{ path: 'query.name', message: 'name is required.' }]);
    const { tenantId } = principalOf(request);
    const window = { limit: PAGE.most, offset: 0, beforeId: null };
    const { items } = await listTemplatesPage(context.db, tenantId, { networkAccountId, name }, window);
    const named = items.filter(
      (item) => item.name === name && (id === undefined || [item.templateId, item.networkTemplateId].includes(id)),
    );
    if (named.length === 0) throw new ApiProblem('not_found');
    for (const { templateId } of named) {
      await deleteTemplate(context.templates, { ...requesterOf(request), templateId, versions: null });
    }
    return { success: true };
  },
});

/** The account in the path. @throws ApiProblem not_found: it is none of the tenant */
async function ownAccount({ db }: Pick<RouteContext, 'db'>, request: FastifyRequest): Promise<string> {
  const { id } = request.params as { readonly id: string };
  const accounts = await listTemplateAccounts(db, principalOf(request).tenantId);
  if (!accounts.some(({ networkAccountId }) => networkAccountId === id)) throw new ApiProblem('not_found');
  return id;
}

function limitOf(text: string | undefined): number {
  const asked = text === undefined ? PAGE.usual : Number(text);
  if (Number.isInteger(asked) && asked >= 1) return Math.min(asked, PAGE.most);
  throw problemOf([{ path: 'query.limit', message: 'limit must be a whole number of 1 or more.' }]);
}

const validateTemplate = bodyValidator(CreateTemplate);
/** Words that the network writes in upper case, and we do not. */
const LOWERED = ['category', 'parameter_format'];
/** Said by older clients; the network does as it likes. */
const IGNORED = ['allow_category_change'];

/** @throws ApiProblem validation_failed */
function readTemplate(body: JsonObject): Parameters<typeof definitionOf>[0] {
  const given = Object.entries(dropNulls(body) as JsonObject)
    .filter(([name]) => !IGNORED.includes(name))
    .map(([name, value]) => [networkNames[name] ?? name, lowered(name, value)]);
  const definition: unknown = Object.fromEntries(given);
  if (!validateTemplate(definition)) throw validationProblem(validateTemplate.errors ?? [], 'body');
  return definition as Parameters<typeof definitionOf>[0];
}

const networkNames: Readonly<Record<string, string>> = { message_send_ttl_seconds: 'message_ttl_s' };

function lowered(name: string, value: JsonValue): JsonValue {
  return LOWERED.includes(name) && typeof value === 'string' ? value.toLowerCase() : value;
}

/** Statuses as the network writes them. A draft that was submitted is in review. */
const statusWords: Readonly<Record<TemplateStatus, string>> = {
  draft: 'PENDING',
  submitted: 'PENDING',
  approved: 'APPROVED',
  rejected: 'REJECTED',
  paused: 'PAUSED',
  disabled: 'DISABLED',
  in_appeal: 'IN_APPEAL',
  archived: 'ARCHIVED',
  deleted: 'DELETED',
};

/** Drafts are not listed: what is pending was submitted. */
const statusOfWord = new Map(
  Object.entries(statusWords).map(([status, word]) => [word, status as TemplateStatus] as const),
);

/** What the query narrows the list down to. @throws ApiProblem validation_failed */
function filterOf({ name, language, status, category }: Readonly<Record<string, string | undefined>>): TemplateFilter {
  const known = statusOfWord.get(status?.toUpperCase() ?? '');
  if (status !== undefined && known === undefined) {
    throw problemOf([
      { path: 'query.status', message: `status must be one of ${[...statusOfWord.keys()].join(', ')}.` },
    ]);
  }
  const kind = templateCategories.find((one) => one === category?.toLowerCase());
  if (category !== undefined && kind === undefined) {
    throw problemOf([{ path: 'query.category', message: 'category must be AUTHENTICATION, MARKETING or UTILITY.' }]);
  }
  return {
    ...(name === undefined ? {} : { name }),
    ...(language === undefined ? {} : { language }),
    ...(known === undefined ? {} : { status: known }),
    ...(kind === undefined ? {} : { category: kind }),
  };
}

/** A template as the network shows it. */
export function presentTemplateNode(template: Template): JsonObject {
  const { reason, quality } = template;
  return {
    id: template.templateId,
    name: template.name,
    language: template.language,
    status: statusWords[template.status],
    category: template.category.toUpperCase(),
    parameter_format: template.parameterFormat.toUpperCase(),
    components: template.components,
    quality_score: { score: quality.toUpperCase() },
    ...(reason === null ? {} : { rejected_reason: reason }),
    ...(template.messageTtlS === null ? {} : { message_send_ttl_seconds: template.messageTtlS }),
  };
}
