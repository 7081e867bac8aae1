import { randomKey } from '../../live/waits.ts';

/** The same key for the same request, and another one when something in it was corrected. */
export function keyFor(keys: Map<string, string>, request: unknown): string {
  const text = JSON.stringify(request);
  const key = keys.get(text) ?? randomKey();
  keys.set(text, key);
  return key;
}
