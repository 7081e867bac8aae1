import type { FastifyRequest } from 'fastify';
import { phoneNumberResource } from '#accounts/http/phone-numbers';
import type { BusinessRequest } from '#business/actions/reach-number';
import type { ErrorExample } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';
import { belowItem } from '#http/resource';
import { conflictExample, errorExample } from '#http/schemas/errors';

/**
 * What operations have in common that ask the network about a number. Customers see what they change, so test keys change it only
 * at the simulator.
 */
export function atNumber(rest: string, access: 'read' | 'write') {
  return { ...belowItem(phoneNumberResource, rest, access), ...(access === 'write' ? { sends: true } : {}) };
}

/** How each of them can fail. */
export function numberFailures(): readonly ErrorExample[] {
  return [
    conflictExample('noToken', 'The linked account of the number was deleted. Link it again.'),
    errorExample(
      'refusedByNetwork',
      'refused_by_network',
      'The network rejected this. Its response: A parameter is unknown or not valid.',
    ),
    errorExample('networkUnreachable', 'network_unreachable', 'The network could not be reached (UND_ERR_SOCKET).'),
  ];
}

/** Who asks, about the number in the path. */
export function businessRequest(request: FastifyRequest<{ Params: { id: string } }>): BusinessRequest {
  return { ...requesterOf(request), phoneNumberId: request.params.id };
}
