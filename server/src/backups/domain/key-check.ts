import { type EncryptionKey, openToken, sealToken } from '#core/sealed-token';
import type { KeyEntry } from './manifest.ts';

const CHECK = 'postrider backup';

/**
 * What a backup says of the keys that its secrets are encrypted with: nothing from which they could be made.
 * @param ids of the keys that something is encrypted with
 * @param backup its id
 */
export function keyEntries(
  ids: readonly string[],
  keys: readonly EncryptionKey[],
  backup: string,
): readonly KeyEntry[] {
  const known = new Map(keys.map((key) => [key.id, key]));
  return ids.map((id) => {
    const key = known.get(id);
    return { id, check: key === undefined ? null : sealToken(key, backup, CHECK).sealed };
  });
}

/** The keys that a backup needs and that are not at hand. @returns their ids */
export function missingKeys(
  entries: readonly KeyEntry[],
  keys: readonly EncryptionKey[],
  backup: string,
): readonly string[] {
  const known = new Map(keys.map((key) => [key.id, key]));
  const opens = ({ id, check }: KeyEntry): boolean => {
    const key = known.get(id);
    return key !== undefined && (check === null || openToken(key, backup, check) === CHECK);
  };
  return entries.filter((entry) => !opens(entry)).map(({ id }) => id);
}
