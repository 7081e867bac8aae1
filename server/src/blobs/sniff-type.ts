import { fileTypeFromBuffer } from 'file-type';

/**
 * The type that the first bytes show, as a lower-case media type; null when they show none. Plain text shows none.
 * Never throws: a file cut off in its middle is simply not recognised.
 */
export async function sniffType(head: Uint8Array): Promise<string | null> {
  try {
    return (await fileTypeFromBuffer(head))?.mime.toLowerCase() ?? null;
  } catch {
    return null;
  }
}
