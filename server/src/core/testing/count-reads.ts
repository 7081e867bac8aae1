/**
 * How many characters of texts are read in the meantime: every step of a machine that matches patterns reads one, and
 * the number is the same each time, on every machine.
 */
export function countReads(work: () => void): number {
  const text = String.prototype;
  const read = text.charCodeAt;
  let reads = 0;
  text.charCodeAt = function counted(this: string, index: number) {
    reads += 1;
    return read.call(this, index);
  };
  try {
    work();
  } finally {
    text.charCodeAt = read;
  }
  return reads;
}
