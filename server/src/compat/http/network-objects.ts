import type { FastifyRequest } from 'fastify';
import { listPhoneNumbers, type PhoneNumber } from '#accounts/store/phone-numbers';
import { allows, type Scope } from '#core/caller/scopes';
import { ApiProblem, requireFound } from '#core/errors';
import { isUuid } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { RouteContext } from '#http/deps';
import type { Operation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { findMedia } from '#media/store/media';
import { presentMediaNode } from './network-media.ts';
import { ANY_ID, networkRoutes } from './network-operation.ts';
import { findKnownTemplate, presentTemplateNode } from './network-template-reads.ts';

/** GET /{id}: a phone number, a file or a template, whichever has the id. */
export const networkObjectRoutes: readonly Operation[] = networkRoutes({
  method: 'GET',
  path: ANY_ID,
  operationId: 'networkGetObject',
  scope: 'media:read',
  errors: ['not_found'],
  handle: (context) => async (request) => {
    const { id } = request.params as { readonly id: string };
    const object = isUuid(id.toLowerCase())
      ? await storedObject(context, request, id.toLowerCase())
      : await numberObject(context, request, id);
    return requireFound(object);
  },
});

async function storedObject(
  { rt, db }: Pick<RouteContext, 'rt' | 'db'>,
  request: FastifyRequest,
  id: string,
): Promise<JsonObject | null> {
  const { tenantId } = principalOf(request);
  const media = await findMedia(db, tenantId, id, rt.clock.now());
  if (media !== null) return presentMediaNode(media, request);
  const template = await findKnownTemplate(db, tenantId, id);
  if (template === null) return null;
  requireScope(request, 'templates:read');
  return presentTemplateNode(template);
}

async function numberObject(
  { db }: Pick<RouteContext, 'db'>,
  request: FastifyRequest,
  id: string,
): Promise<JsonObject | null> {
  const numbers = await usableNumbers(db, request);
  const number = numbers.find(({ phoneNumberId }) => phoneNumberId === id);
  if (number === undefined) return null;
  requireScope(request, 'numbers:read');
  return presentNumberNode(number);
}

/** Objects share one path, and have a scope each. @throws ApiProblem forbidden */
function requireScope(request: FastifyRequest, scope: Scope): void {
  if (allows(principalOf(request).scopes, scope)) return;
  throw new ApiProblem('forbidden', { sentence: `This API key lacks the scope ${scope}.` });
}

/** GET /{account id}/phone_numbers. */
export const networkNumberRoutes: readonly Operation[] = networkRoutes({
  method: 'GET',
  path: '/:id(^\\d+$)/phone_numbers',
  operationId: 'networkListNumbers',
  scope: 'numbers:read',
  errors: ['not_found'],
  handle:
    ({ db }) =>
    async (request) => {
      const { id } = request.params as { readonly id: string };
      const numbers = (await usableNumbers(db, request)).filter(({ networkAccountId }) => networkAccountId === id);
      if (numbers.length === 0) throw new ApiProblem('not_found');
      return { data: numbers.map(presentNumberNode) };
    },
});

/** Those that the key may use. */
async function usableNumbers(db: RouteContext['db'], request: FastifyRequest): Promise<readonly PhoneNumber[]> {
  const { tenantId, phoneNumberIds } = principalOf(request);
  const numbers = await listPhoneNumbers(db, tenantId);
  return phoneNumberIds.length === 0
    ? numbers
    : numbers.filter(({ phoneNumberId }) => phoneNumberIds.includes(phoneNumberId));
}

/** What the network last said of a number. What is not known is left out, as the network does. */
function presentNumberNode(number: PhoneNumber): JsonObject {
  const { name, qualityRating, messagingLimit, throughput, networkStatus } = number;
  return {
    id: number.phoneNumberId,
    display_phone_number: `+${number.displayPhone}`,
    ...(name === null ? {} : { verified_name: name }),
    ...(qualityRating === null ? {} : { quality_rating: qualityRating }),
    ...(messagingLimit === null ? {} : { whatsapp_business_manager_messaging_limit: messagingLimit }),
    ...(throughput === null ? {} : { throughput: { level: throughput } }),
    ...(networkStatus === null ? {} : { status: networkStatus }),
  };
}
