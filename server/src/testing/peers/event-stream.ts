/** A stream of events as a client reads it. */
export interface EventStream {
  /** Complete blocks that came since the last call, in order; null: the stream is over. Rejects when it broke off. */
  next(): Promise<readonly StreamBlock[] | null>;
  /** Hangs up in the middle of whatever is on its way. */
  cut(): void;
}

/** What one block of a stream says; fields that it does not have are null. */
export interface StreamBlock {
  readonly id: string | null;
  readonly event: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into events of many shapes
  readonly data: any;
}

/** @param lastId sent as Last-Event-ID; null: none */
export async function openEventStream(url: string, key: string, lastId: string | null): Promise<EventStream> {
  const ended = new AbortController();
  const resume: Record<string, string> = lastId === null ? {} : { 'last-event-id': lastId };
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${key}`, ...resume },
    signal: ended.signal,
  });
  if (response.status !== 200 || response.body === null) throw new Error(`${response.status} ${await response.text()}`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  return {
    next: async () => {
      const { value, done } = await reader.read();
      if (done) return null;
      const blocks = `${rest}${value}`.split('\n\n');
      rest = blocks.pop() ?? '';
      return blocks.map(toBlock);
    },
    cut: () => ended.abort(),
  };
}

function toBlock(text: string): StreamBlock {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1] ?? null;
  const data = field('data');
  return { id: field('id'), event: field('event'), data: data === null ? null : JSON.parse(data) };
}
