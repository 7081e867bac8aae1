import type { EndpointFields } from '#operations/manage-endpoints';
import { givenOnly } from '../../lists/filters.ts';
import type { ChangeEndpointBody } from '../../schemas/webhook-endpoint.ts';

/** What the body says of an endpoint; a type that stands there twice counts once. */
export function readEndpointWish(body: ChangeEndpointBody): Partial<EndpointFields> {
  const { url, description, types, ordering, enabled } = body;
  return givenOnly({ url, description, ordering, enabled, types: types && [...new Set(types)] });
}
