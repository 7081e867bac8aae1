import { isJsonObject, type JsonObject, type JsonValue, parseSafeJson } from '#core/json';
import { objectOf, textOf } from '#core/json-fields';

/** What a customer entered into a form (a flow). */
export interface FlowResponse {
  /** The network's word for the kind of form, `flow` or `address_message`. */
  readonly name: string | null;
  /** The token that the form was sent with. */
  readonly flowToken: string | null;
  /** The answers; JSON of any kind, usually an object. Null: what came is not JSON. */
  readonly data: JsonValue;
}

/** Reads the answers of a form out of the JSON text that they come in; null for any other message. */
export function readFlowResponse(type: string, content: JsonObject): FlowResponse | null {
  if (type !== 'interactive' || content.type !== 'nfm_reply') return null;
  const reply = objectOf(content.nfm_reply);
  const data = parsed(textOf(reply.response_json));
  const token = isJsonObject(data) ? textOf(data.flow_token) : null;
  return { name: textOf(reply.name), flowToken: token, data: isJsonObject(data) ? withoutToken(data) : data };
}

function withoutToken({ flow_token: _token, ...answers }: JsonObject): JsonObject {
  return answers;
}

function parsed(text: string | null): JsonValue {
  try {
    return text === null ? null : parseSafeJson(text);
  } catch {
    return null;
  }
}
