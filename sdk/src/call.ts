/** What a single call may change. */
export interface CallOptions {
  /** All tries of a call have one key, so that it takes effect once. By default, each call makes its own. */
  readonly idempotencyKey?: string | undefined;
  /** Executes the call only if the resource still has this version. */
  readonly ifMatch?: number | string | undefined;
  /** ID of the agent who does it: `X-Agent-Id`. */
  readonly agentId?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Ends the call, and every wait between its tries. */
  readonly signal?: AbortSignal | undefined;
  /** How long one try may take. Default: 60,000. */
  readonly timeoutMs?: number | undefined;
  /** How often a call is repeated when that can help. Default: 2. */
  readonly maxRetries?: number | undefined;
}

/** An answer with what came with it. */
export interface Answered<Data> {
  readonly data: Data;
  /** Its status and headers; its body has been read, unless it is the data. */
  readonly response: Response;
  /** Identifies the request in the logs of the service. */
  readonly requestId: string | null;
  /** What may go wrong with what was accepted, such as `window_closed`: what a dry run would have warned of. */
  readonly warnings: readonly string[];
  /** Whether the service had executed a request with this Idempotency-Key before. */
  readonly isReplay: boolean;
}

/** A call under way: a promise of its data, which can also give the whole answer. */
export class Call<Data> implements Promise<Data> {
  readonly [Symbol.toStringTag]: string = 'Call';
  readonly #answer: Promise<Answered<Data>>;

  constructor(answer: Promise<Answered<Data>>) {
    this.#answer = answer;
  }

  /** The data together with the response and the ID of the request. */
  withResponse(): Promise<Answered<Data>> {
    return this.#answer;
  }

  // biome-ignore lint/suspicious/noThenProperty: a call is awaited like a promise
  then<Result = Data, Failure = never>(
    onFulfilled?: ((data: Data) => Result | PromiseLike<Result>) | null,
    onRejected?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    return this.#answer.then(({ data }) => data).then(onFulfilled, onRejected);
  }

  catch<Failure = never>(
    onRejected?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Data | Failure> {
    return this.then(null, onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<Data> {
    return this.then().finally(onFinally);
  }
}

/** A page as lists answer it; lists that come at once have no `page`. */
export interface Page {
  readonly data: readonly unknown[];
  readonly page?: { readonly has_more: boolean; readonly next_cursor: string | null };
}

/** A list: awaited, its first page; walked through with `for await`, all items of all pages. */
export class List<P extends { readonly data: readonly unknown[] }> extends Call<P> {
  override readonly [Symbol.toStringTag]: string = 'List';
  readonly #fetchPage: (cursor: string) => Promise<P>;

  constructor(first: Promise<Answered<P>>, fetchPage: (cursor: string) => Promise<P>) {
    super(first);
    this.#fetchPage = fetchPage;
  }

  /** Page by page, each fetched when it is asked for. */
  async *pages(): AsyncGenerator<P, void, undefined> {
    for (let current: P = await this; ; ) {
      yield current;
      const { has_more: hasMore = false, next_cursor: cursor = null } = (current as Page).page ?? {};
      if (!hasMore || cursor === null) return;
      current = await this.#fetchPage(cursor);
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<P['data'][number], void, undefined> {
    for await (const { data } of this.pages()) yield* data as P['data'][number][];
  }
}
