import { type NetworkError, networkError } from '../graph/errors.ts';
import type { JsonObject } from '../json.ts';
import type { Simulation } from '../simulation.ts';
import { knownCategory } from '../templates/check-send.ts';

/** What a message is paid as that left over the Marketing Messages API. */
export const MARKETING_CATEGORY = 'marketing_lite';
const POLICIES = ['CLOUD_API_FALLBACK', 'STRICT'];

/** Null for what `POST /{phone_number_id}/marketing_messages` takes: templates of marketing, with two fields more than `messages`. */
export function checkMarketing(sim: Simulation, wabaId: string, body: JsonObject): NetworkError | null {
  const { type, product_policy: policy, message_activity_sharing: sharing } = body;
  if (type !== 'template') return networkError(131055, 'Only template messages can be sent over this API.');
  if (policy !== undefined && !POLICIES.includes(String(policy))) {
    return networkError(100, `Param product_policy must be one of {'${POLICIES.join("', '")}'}.`);
  }
  if (sharing !== undefined && typeof sharing !== 'boolean') {
    return networkError(100, 'Param message_activity_sharing must be a boolean.');
  }
  const category = knownCategory(sim, wabaId, body);
  if (category === null || category === 'MARKETING') return null;
  return networkError(134100, `The template is of the category ${category}; only MARKETING is supported.`);
}
