/*
 * A client as a stranger would write it who has the specification and nothing else: no schema, type or constant of the
 * service is imported here. What it expects is what the words promise.
 */

/** An answer as it came. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a stranger's client looks into whatever it is given
  readonly json: any;
}

export interface ContractClient {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answered>;
  post(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answered>;
  remove(path: string, headers?: Readonly<Record<string, string>>): Promise<Answered>;
  /** `POST` of a form with one file. */
  upload(path: string, file: File, fields?: Readonly<Record<string, string>>): Promise<Answered>;
  /** Any method and any bytes. */
  raw(method: string, path: string, init: RequestInit): Promise<Answered>;
}

/** @param apiKey null: without a key */
export function contractClient(baseUrl: string, apiKey: string | null): ContractClient {
  const authorization: Record<string, string> = apiKey === null ? {} : { Authorization: `Bearer ${apiKey}` };
  const raw: ContractClient['raw'] = async (method, path, init) => {
    const headers = { ...authorization, ...(init.headers as Record<string, string> | undefined) };
    const response = await fetch(baseUrl + path, { ...init, method, headers });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    return { status: response.status, headers: response.headers, json: isJson ? JSON.parse(text) : null };
  };
  return {
    raw,
    get: (path, headers = {}) => raw('GET', path, { headers }),
    remove: (path, headers = {}) => raw('DELETE', path, { headers }),
    post: (path, body, headers = {}) =>
      body === undefined
        ? raw('POST', path, { headers })
        : raw('POST', path, {
            headers: { 'Content-Type': 'application/json', ...headers },
            body: JSON.stringify(body),
          }),
    upload: (path, file, fields = {}) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      form.append('file', file);
      return raw('POST', path, { body: form });
    },
  };
}
