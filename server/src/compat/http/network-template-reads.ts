import type { FastifyRequest } from 'fastify';
import { ApiProblem, requireFound } from '#core/errors';
import { ANY_UUID, isUuid, type TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { ListWindow } from '#core/paging';
import type { RouteContext } from '#http/deps';
import type { Operation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { problemOf } from '#http/validation/faults';
import { templateCategories } from '#templates/domain/definition';
import type { TemplateStatus } from '#templates/domain/status';
import type { Template } from '#templates/domain/template';
import { listTemplateAccounts } from '#templates/store/template-accounts';
import { countKnownTemplates, findTemplate, listTemplatesPage, type TemplateFilter } from '#templates/store/templates';
import { networkRoutes } from './network-operation.ts';

/** Where an account has its templates. */
export const TEMPLATES_PATH = '/:id(^\\d+$)/message_templates';
/** What the network lists without being asked for more, and the most that it lists. */
export const TEMPLATE_PAGE = { usual: 25, most: 250 };

/** Far beyond what an account can have. */
const MAX_OFFSET = 1_000_000;

type Query = Readonly<Record<string, string | undefined>>;

/** GET /{account id}/message_templates, newest first. Drafts are nothing that the network knows. */
export const networkListTemplatesRoutes: readonly Operation[] = networkRoutes({
  method: 'GET',
  path: TEMPLATES_PATH,
  operationId: 'networkListTemplates',
  scope: 'templates:read',
  errors: ['not_found'],
  handle: (context) => async (request) => {
    const networkAccountId = await ownAccount(context, request);
    const query = readQuery(request.query);
    const { tenantId } = principalOf(request);
    const filter = { networkAccountId, ...filterOf(query) };
    const page = await listTemplatesPage(context.db, tenantId, filter, windowOf(query));
    const shown = page.items.filter(({ status }) => status !== 'draft');
    const last = page.hasMore ? page.items.at(-1)?.templateId : undefined;
    return {
      data: shown.map(presentTemplateNode),
      ...(last === undefined ? {} : { paging: { cursors: { after: last } } }),
      ...(query.summary === undefined
        ? {}
        : { summary: summaryOf(await countKnownTemplates(context.db, { tenantId, networkAccountId })) }),
    };
  },
});

/** What clients read of it. The limit is one of the network's, and not known here. */
function summaryOf(count: number): JsonObject {
  return {
    total_count: count,
    message_template_count: count,
    message_template_limit: null,
    are_translations_complete: true,
  };
}

/** GET /{account id}/message_templates/{template id}: some clients ask for a template below its account. */
export const networkGetTemplateRoutes: readonly Operation[] = networkRoutes({
  method: 'GET',
  path: `${TEMPLATES_PATH}/:templateId(^${ANY_UUID}$)`,
  operationId: 'networkGetTemplate',
  scope: 'templates:read',
  errors: ['not_found'],
  handle: (context) => async (request) => {
    const networkAccountId = await ownAccount(context, request);
    const { templateId } = request.params as { readonly templateId: string };
    const template = await findKnownTemplate(context.db, principalOf(request).tenantId, templateId.toLowerCase());
    return presentTemplateNode(requireFound(template?.networkAccountId === networkAccountId ? template : null));
  },
});

/** A template that the network has, or had asked of it. Null: there is none, or it is another tenant's. */
export async function findKnownTemplate(
  db: RouteContext['db'],
  tenantId: TenantId,
  templateId: string,
): Promise<Template | null> {
  const template = await findTemplate(db, tenantId, templateId);
  return template === null || template.status === 'deleted' ? null : template;
}

/** The account in the path. @throws ApiProblem not_found: it is none of the tenant */
export async function ownAccount({ db }: Pick<RouteContext, 'db'>, request: FastifyRequest): Promise<string> {
  const { id } = request.params as { readonly id: string };
  const accounts = await listTemplateAccounts(db, principalOf(request).tenantId);
  if (!accounts.some(({ networkAccountId }) => networkAccountId === id)) throw new ApiProblem('not_found');
  return id;
}

/** Each parameter once: several values would mean any of them to the network, which is not offered here. @throws ApiProblem validation_failed */
export function readQuery(query: unknown): Query {
  const given = query as Readonly<Record<string, string | readonly string[]>>;
  const several = Object.keys(given).find((name) => typeof given[name] !== 'string');
  if (several !== undefined) throw fault(several, 'may be given once.');
  return given as Query;
}

/** @throws ApiProblem validation_failed */
function windowOf({ limit, offset, after, before }: Query): ListWindow {
  if (before !== undefined) throw fault('before', 'is not supported here: pages follow each other by after.');
  if (after !== undefined && !isUuid(after)) throw fault('after', 'is no cursor.');
  const asked = wholeNumber('limit', limit ?? TEMPLATE_PAGE.usual, 1);
  return {
    limit: Math.min(asked, TEMPLATE_PAGE.most),
    offset: wholeNumber('offset', offset ?? 0, 0),
    beforeId: after ?? null,
  };
}

function wholeNumber(name: string, given: string | number, least: number): number {
  const value = Number(given);
  if (Number.isInteger(value) && value >= least && value <= MAX_OFFSET) return value;
  throw fault(name, `must be a whole number of ${least} or more.`);
}

function fault(name: string, message: string): ApiProblem {
  return problemOf([{ path: `query.${name}`, message: `${name} ${message}` }]);
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
function filterOf(query: Query): TemplateFilter {
  const { name, name_or_content: q, language, status, category } = query;
  if (query.quality_score !== undefined) throw fault('quality_score', 'is not supported here.');
  const known = statusOfWord.get(status?.toUpperCase() ?? '');
  if (status !== undefined && known === undefined) {
    throw fault('status', `must be one of ${[...statusOfWord.keys()].join(', ')}.`);
  }
  const kind = templateCategories.find((one) => one === category?.toLowerCase());
  if (category !== undefined && kind === undefined) {
    throw fault('category', 'must be AUTHENTICATION, MARKETING or UTILITY.');
  }
  return {
    ...(name === undefined ? {} : { name }),
    ...(q === undefined ? {} : { q }),
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
