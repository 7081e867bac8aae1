import type { JsonObject } from '#core/json';

/** "body (1–4096)": characters, not bytes. */
export const MAX_TEXT_CHARACTERS = 4096;

/** A text, as the hot path carries it. */
export interface TextContent {
  readonly type: 'text';
  readonly body: string;
  /** Whether the network shows a preview of the first address in the text. */
  readonly previewUrl: boolean;
}

/** The stored form is the network's object: nothing is left to do when it is sent. */
export function storedText({ body, previewUrl }: TextContent): JsonObject {
  return previewUrl ? { body, preview_url: true } : { body };
}

export function textFromStored(stored: JsonObject): TextContent {
  return { type: 'text', body: String(stored.body ?? ''), previewUrl: stored.preview_url === true };
}
