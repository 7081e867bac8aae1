import type { FastifyRequest } from 'fastify';
import { requireGranted } from '#access/actions/require-granted';
import { asksForContact } from '#conversations/domain/conversation-fields';
import type { JsonObject } from '#core/json';
import { principalOf } from '#http/plugins/auth';

/**
 * A condition tells who has the values that it names: what it asks for of contacts takes the right to read them.
 * @throws ApiProblem forbidden
 */
export function requireConditionScopes(request: Pick<FastifyRequest, 'principal'>, when: JsonObject | undefined): void {
  if (when === undefined || !asksForContact(when)) return;
  const { scopes: granted } = principalOf(request);
  requireGranted({ granted }, ['contacts:read']);
}
