import { givenOnly } from '#http/lists/filters';
import type { EndpointFields } from '#webhooks/actions/manage-endpoints';
import type { ChangeEndpointBody } from '#webhooks/http/schemas/webhook-endpoint';

/** What the body says of an endpoint; a type that stands there twice counts once. */
export function readEndpointInput(body: ChangeEndpointBody): Partial<EndpointFields> {
  const { url, description, types, ordering, enabled } = body;
  return givenOnly({ url, description, ordering, enabled, types: types && [...new Set(types)] });
}
