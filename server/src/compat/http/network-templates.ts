import type { FastifyRequest } from 'fastify';
import { dropNulls } from '#compat/domain/send-body';
import { ApiProblem } from '#core/errors';
import type { JsonObject, JsonValue } from '#core/json';
import type { RouteContext } from '#http/deps';
import type { Operation } from '#http/operation';
import { principalOf, requesterOf } from '#http/plugins/auth';
import { bodyValidator } from '#http/validation/ajv';
import { problemOf, validationProblem } from '#http/validation/faults';
import { obtainMediaHandle } from '#media/actions/obtain-handle';
import { createTemplate, deleteTemplate, type NewTemplate } from '#templates/actions/manage-templates';
import { submitTemplate } from '#templates/actions/submit-template';
import type { Template } from '#templates/domain/template';
import { CreateTemplate } from '#templates/http/schemas/template';
import { definitionOf } from '#templates/http/templates';
import { listTemplatesPage } from '#templates/store/templates';
import { AnyBody, networkRoutes } from './network-operation.ts';
import { ownAccount, presentTemplateNode, readQuery, TEMPLATE_PAGE, TEMPLATES_PATH } from './network-template-reads.ts';

/** POST /{account id}/message_templates: kept as a draft and submitted at once. */
export const networkCreateTemplateRoutes: readonly Operation[] = networkRoutes({
  method: 'POST',
  path: TEMPLATES_PATH,
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
  const { templateId, createdMs } = await createTemplate(context, { ...requester, ...fields, library: null });
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

/** DELETE /{account id}/message_templates?name=: in all its languages, or the one that hsm_id or language names. */
export const networkDeleteTemplateRoutes: readonly Operation[] = networkRoutes({
  method: 'DELETE',
  path: TEMPLATES_PATH,
  operationId: 'networkDeleteTemplate',
  scope: 'templates:write',
  errors: ['not_found', 'network_unreachable'],
  handle: (context) => async (request) => {
    const networkAccountId = await ownAccount(context, request);
    const { name, hsm_id: id, language } = readQuery(request.query);
    if (name === undefined) throw problemOf([{ path: 'query.name', message: 'name is required.' }]);
    const { tenantId } = principalOf(request);
    const window = { limit: TEMPLATE_PAGE.most, offset: 0, beforeId: null };
    const wanted = { networkAccountId, name, ...(language === undefined ? {} : { language }) };
    const { items } = await listTemplatesPage(context.db, tenantId, wanted, window);
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
