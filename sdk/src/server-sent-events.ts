/** A block of a stream of server-sent events. */
export interface Frame {
  /** Null: the block has none. */
  readonly id: string | null;
  readonly event: string;
  /** Null: the block has no data. */
  readonly data: string | null;
}

/** An event of the service has a few kilobytes; what never ends is no stream of events. */
const LONGEST_FRAME = 8_000_000;
const LINE_END = /\r\n|\n|\r/;

/** Reads the blocks of a stream; the one that a broken connection left unfinished is dropped, as the standard says. */
export async function* readFrames(body: ReadableStream<Uint8Array>): AsyncGenerator<Frame, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  /** Its line has ended already; a line feed that follows belongs to it. */
  let endsWithReturn = false;
  let block: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const text = decoder.decode(value, { stream: true });
      if (text === '') continue;
      const lines = (rest + (endsWithReturn ? text.replace(/^\n/, '') : text)).split(LINE_END);
      endsWithReturn = text.endsWith('\r');
      rest = lines.pop() ?? '';
      if (rest.length > LONGEST_FRAME) throw new Error('The stream holds a line without an end.');
      for (const line of lines) {
        if (line !== '') block.push(line);
        else {
          yield frameOf(block);
          block = [];
        }
      }
    }
  } finally {
    // Ends the connection when the reader stops early; a broken one has ended by itself.
    await reader.cancel().catch(() => undefined);
  }
}

function frameOf(lines: readonly string[]): Frame {
  let id: string | null = null;
  let event = 'message';
  const data: string[] = [];
  for (const line of lines) {
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === 'id') id = value;
    else if (name === 'event') event = value;
    else if (name === 'data') data.push(value);
  }
  return { id, event, data: data.length > 0 ? data.join('\n') : null };
}
