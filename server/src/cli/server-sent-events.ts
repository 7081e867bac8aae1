/** One block of a stream of server-sent events; what it does not say is null. */
export interface Block {
  readonly id: string | null;
  readonly data: string | null;
}

/** Whole blocks of a stream, in order; one that is cut short by the end is left out. */
export async function* readBlocks(body: ReadableStream<Uint8Array>): AsyncGenerator<Block> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of body as unknown as AsyncIterable<Uint8Array>) {
    const blocks = (rest + decoder.decode(piece, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const text of blocks) yield toBlock(text);
  }
}

function toBlock(text: string): Block {
  const lines = text.split('\n');
  const values = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).replace(/^ /, ''));
  const data = values('data');
  return { id: values('id').at(-1) ?? null, data: data.length === 0 ? null : data.join('\n') };
}
