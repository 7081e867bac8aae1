import type { FastifyRequest } from 'fastify';
import type { JsonObject } from '#core/json';
import type { FlowRequest } from '#flows/actions/manage-flows';
import type { OfFlow } from '#flows/actions/reach-flow';
import type { Flow } from '#flows/domain/flow';
import type { ErrorExample } from '#http/operation';
import { principalOf, requesterOf } from '#http/plugins/auth';
import { conflictExample, errorExample } from '#http/schemas/errors';
import { FlowParams, FlowView, flowExample } from './schemas/flow.ts';

const scopes = { read: 'templates:read', write: 'templates:write' } as const;

/** What operations have in common that ask the network about flows. */
export function ofFlows(access: keyof typeof scopes) {
  return { tag: 'Flows', scope: scopes[access] } as const;
}

/** The same of those about one flow. @param rest of the path below the flow */
export function atFlow(access: keyof typeof scopes, rest = '') {
  const path = `/v1/flows/:id${rest}`;
  return { ...ofFlows(access), path, params: FlowParams, errors: ['not_found'] } as const;
}

/** An answer with one flow. */
export function flowAnswer(description: string, example: JsonObject = flowExample) {
  return { status: 200, description, schema: FlowView, example };
}

/** How each of them can fail. @param refused what the network says, when it has a sentence of its own */
export function flowFailures(refused = REFUSED): readonly ErrorExample[] {
  return [
    conflictExample('noToken', 'The linked account of the number was deleted. Link it again.'),
    errorExample('refusedByNetwork', 'refused_by_network', refused),
    errorExample('networkUnreachable', 'network_unreachable', 'The network could not be reached (UND_ERR_SOCKET).'),
  ];
}

const REFUSED =
  'A permission is missing or was withdrawn; link the account again. (The permission is missing or was removed.)';

type AtFlow = FastifyRequest<{ Params: { id: string } }>;

/** The flow that a request is about. */
export function ofFlow(request: AtFlow): OfFlow {
  return { tenantId: principalOf(request).tenantId, flowId: request.params.id };
}

/** The same, and who asks. */
export function flowRequest(request: AtFlow): FlowRequest {
  return { ...requesterOf(request), ...ofFlow(request) };
}

export function presentFlow({ preview, health, ...flow }: Flow): JsonObject {
  return {
    id: flow.flowId,
    name: flow.name,
    status: flow.status,
    categories: [...flow.categories],
    network_account_id: flow.networkAccountId,
    json_version: flow.jsonVersion,
    validation_errors: presentProblems(flow),
    preview: preview && { url: preview.url, expires_at: preview.expiresAt },
    health: health && { can_send: health.canSend, problems: [...health.problems] },
  };
}

export function presentProblems({ problems }: Pick<Flow, 'problems'>): readonly JsonObject[] {
  return problems.map(({ code, message, places }) => ({ code, message, places: [...places] }));
}
