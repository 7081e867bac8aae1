import { type NetworkError, networkError } from '../graph/errors.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import type { Simulation } from '../simulation.ts';

/** Marks an inbound message as read, or shows the typing indicator; null when the network would answer success. */
export function checkMarkRead(sim: Simulation, body: JsonObject): NetworkError | null {
  const { messaging_product: product, message_id: id, typing_indicator: typing } = body;
  if (product !== 'whatsapp') return networkError(100, "Param messaging_product is required and must be 'whatsapp'.");
  if (body.status !== 'read') return networkError(100, "Param status must be 'read'.");
  if (typeof id !== 'string' || id === '') return networkError(131008, 'Parameter message_id is required.');
  if (typing !== undefined && !(isJsonObject(typing) && typing.type === 'text')) {
    return networkError(131009, "Param typing_indicator['type'] must be 'text'.");
  }
  return sim.customers.hasWritten(id) ? null : networkError(131009, 'Message id is not one of an inbound message.');
}
