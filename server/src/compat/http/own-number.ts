import type { FastifyRequest } from 'fastify';
import { ApiProblem } from '#core/errors';
import type { PhoneNumberId } from '#core/ids';
import type { RouteContext } from '#http/deps';
import { principalOf } from '#http/plugins/auth';

/** The number in the path. @throws ApiProblem not_found: it is no number of this tenant */
export async function ownNumber(
  { checks }: Pick<RouteContext, 'checks'>,
  request: FastifyRequest,
): Promise<PhoneNumberId> {
  const { id } = request.params as { readonly id: PhoneNumberId };
  const numbers = await checks.numbers.of(principalOf(request).tenantId);
  if (numbers.find(id) === undefined) throw new ApiProblem('not_found');
  return id;
}
