/** What a send refers to must exist: media of the same account, and templates that may be sent. */
import { checkFlowSend } from '../flows/check-send.ts';
import { type NetworkError, networkError } from '../graph/errors.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import { fileKindOf } from '../media/media-types.ts';
import type { BusinessNumber } from '../numbers.ts';
import type { Simulation } from '../simulation.ts';
import { checkTemplateSend } from '../templates/check-send.ts';
import { isMediaType, type MediaType } from './payloads/media.ts';
import { firstFault } from './payloads/text.ts';
import type { CheckedSend } from './validate.ts';

type MediaReference = { readonly type: MediaType; readonly payload: JsonObject };

/** Null when everything that the send names exists and can be used. */
export function checkReferences(sim: Simulation, number: BusinessNumber, send: CheckedSend): NetworkError | null {
  // By far the most messages are texts, which refer to nothing.
  if (send.type === 'text') return null;
  const missing = firstFault(referencesOf(send.type, send.body), (reference) => checkMediaId(sim, number, reference));
  if (missing !== null) return missing;
  if (send.type === 'template') return checkTemplateSend(sim, number.wabaId, send.body);
  return send.type === 'interactive' ? checkFlowSend(sim, number.wabaId, send.body) : null;
}

function checkMediaId(sim: Simulation, number: BusinessNumber, { type, payload }: MediaReference): NetworkError | null {
  // A link is fetched later, and not here.
  if (typeof payload.id !== 'string') return null;
  const item = sim.media.find(payload.id, sim.clock.now());
  if (item === null || item.wabaId !== number.wabaId) {
    return networkError(100, `Param ${type}['id'] is not the id of media that belongs to this business account.`);
  }
  const kind = fileKindOf(item.mimeType)?.mediaType ?? 'document';
  // Every file that could be uploaded can be sent as a document.
  if (type === kind || type === 'document') return null;
  return networkError(131053, `Media of type ${item.mimeType} cannot be sent as ${type}.`);
}

function referencesOf(type: string, body: JsonObject): readonly MediaReference[] {
  const payload = body[type];
  if (!isJsonObject(payload)) return [];
  if (isMediaType(type)) return [{ type, payload }];
  if (type === 'interactive') return interactiveReferences(payload);
  return type === 'template' ? componentReferences(payload.components) : [];
}

function interactiveReferences({ header, action }: JsonObject): readonly MediaReference[] {
  const cards = isJsonObject(action) ? objectsIn(action.cards) : [];
  return [header, ...cards.map((card) => card.header)].flatMap(typedReference);
}

function componentReferences(components: unknown): readonly MediaReference[] {
  return objectsIn(components).flatMap((component) => [
    ...objectsIn(component.parameters).flatMap(typedReference),
    ...objectsIn(component.cards).flatMap((card) => componentReferences(card.components)),
  ]);
}

/** A header or a parameter that shows media: `{type: "image", image: {…}}`. */
function typedReference(value: unknown): readonly MediaReference[] {
  if (!isJsonObject(value)) return [];
  const type = String(value.type).toLowerCase();
  const payload = value[type];
  return isMediaType(type) && isJsonObject(payload) ? [{ type, payload }] : [];
}

function objectsIn(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}
