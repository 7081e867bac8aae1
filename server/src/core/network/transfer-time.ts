/** What an exchange that carries a file may take besides its bytes: the network inspects a file before it answers. */
export const EXCHANGE_MS = 60_000;
/** A megabit in a second: what is slower for a whole file is broken. */
const LEAST_BYTES_PER_MS = 128;

/** How long it may take to carry so many bytes, in milliseconds: always finite, however slowly they trickle. */
export function bytesMs(bytes: number): number {
  return Math.ceil(bytes / LEAST_BYTES_PER_MS);
}
