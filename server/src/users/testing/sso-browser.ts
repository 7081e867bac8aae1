import { randomInt } from 'node:crypto';

/** Where the service says that browsers reach it. */
export const PUBLIC_URL = 'https://chat.example.com';

/** Where a chain of redirects ended. */
export interface Arrival {
  readonly url: URL;
  readonly status: number;
}

/** A browser: follows redirects, keeps cookies by origin. Each has an address of its own, since sign-ins are counted by it. */
export class SsoBrowser {
  readonly #service: string;
  readonly #cookies = new Map<string, Map<string, string>>();
  readonly #address = `198.51.100.${randomInt(250)}`;
  /** The places that it was sent to, the last one last. */
  readonly visited: URL[] = [];

  /** @param service where the service really is */
  constructor(service: string) {
    this.#service = service;
  }

  /** The cookies of the service as a header. */
  get cookie(): string {
    return this.#headerFor(PUBLIC_URL);
  }

  /** Takes over a cookie of the service. */
  keep(cookie: string): void {
    const [name = '', value = ''] = cookie.split('=');
    this.#jar(PUBLIC_URL).set(name, value);
  }

  /**
   * Opens an address of the service or of a provider, and follows redirects until a page of the console.
   * @param change what happens to each address before it is asked
   */
  async open(address: string, change: (url: URL) => URL | null = (url) => url): Promise<Arrival> {
    let url = new URL(address, PUBLIC_URL);
    for (;;) {
      const next = change(url);
      if (next === null) return { url, status: 0 };
      url = next;
      this.visited.push(url);
      if (url.origin === PUBLIC_URL && !url.pathname.startsWith('/v1/')) return { url, status: 200 };
      const target = url.origin === PUBLIC_URL ? new URL(url.pathname + url.search, this.#service) : url;
      const headers = {
        cookie: this.#headerFor(url.origin),
        'x-forwarded-for': this.#address,
        'x-forwarded-proto': 'https',
      };
      const answer = await fetch(target, { headers, redirect: 'manual' });
      await answer.arrayBuffer();
      for (const cookie of answer.headers.getSetCookie()) this.#take(url.origin, cookie);
      const location = answer.headers.get('location');
      if (location === null) return { url, status: answer.status };
      url = new URL(location, url);
    }
  }

  #jar(origin: string): Map<string, string> {
    const jar = this.#cookies.get(origin) ?? new Map<string, string>();
    this.#cookies.set(origin, jar);
    return jar;
  }

  #take(origin: string, cookie: string): void {
    const pair = cookie.split(';')[0] ?? '';
    const at = pair.indexOf('=');
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
    if (value === '') this.#jar(origin).delete(name);
    else this.#jar(origin).set(name, value);
  }

  #headerFor(origin: string): string {
    return [...this.#jar(origin)].map(([name, value]) => `${name}=${value}`).join('; ');
  }
}
