import { type Answer, callApi, startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { ensureOwner } from '#users/actions/first-owner';
import { makeSignInLink } from '#users/actions/sign-in';
import { type Account, CLIENT, type IdentityProvider, startIdentityProvider } from './identity-provider.ts';
import { type Arrival, PUBLIC_URL, SsoBrowser } from './sso-browser.ts';

const OWN_PAGE = { 'postrider-client': 'test', 'sec-fetch-site': 'same-origin', 'x-forwarded-proto': 'https' };
/** Sign-ins are counted by address: requests come from so many. */
const ADDRESSES = 250;

/** Somebody who tried to sign in at the provider. */
export interface Entered {
  readonly browser: SsoBrowser;
  readonly arrival: Arrival;
  /** Who is signed in now, or the error. */
  readonly me: Answer['body'];
}

/** The service and a real identity provider. */
export class SsoKit {
  readonly kit: TestService;
  readonly provider: IdentityProvider;
  #requests = 0;
  #people = 0;

  constructor(kit: TestService, provider: IdentityProvider) {
    this.kit = kit;
    this.provider = provider;
  }

  /** Asks as a page of the service does. */
  ask(cookie: string | null, method: string, path: string, body?: unknown): Promise<Answer> {
    this.#requests += 1;
    const from = { 'x-forwarded-for': `203.0.113.${this.#requests % ADDRESSES}` };
    const headers = { ...OWN_PAGE, ...from, ...(cookie === null ? {} : { cookie }) };
    return callApi(this.kit.service.url, method, path, body, headers);
  }

  /** Signs the owner of a tenant in by a link. */
  async signInByLink({ tenantId }: TestTenant): Promise<Answer> {
    const { rt, service } = this.kit;
    const link = await makeSignInLink(rt, service.db, await ensureOwner(rt, service.db, tenantId));
    return this.ask(null, 'POST', '/v1/sessions', { method: 'link', token: link.split('#token=')[1] });
  }

  /** A body that connects a tenant with the provider. */
  connectionTo(fields: object = {}): object {
    return { issuer: this.provider.issuer, client_id: CLIENT.id, client_secret: CLIENT.secret, ...fields };
  }

  /** A tenant whose people sign in at the provider. */
  async connect(fields: object = {}): Promise<TestTenant> {
    const tenant = await makeTestTenant(this.kit);
    const answer = await tenant.call('PUT', '/v1/sso-connection', this.connectionTo(fields));
    if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
    return tenant;
  }

  /** Somebody whom the provider lets in from now on. @returns their subject */
  somebody(fields: Partial<Account> = {}): string {
    this.#people += 1;
    const sub = `person-${this.#people}`;
    this.provider.account = { sub, name: `Person ${this.#people}`, email: `${sub}@example.com`, ...fields };
    return sub;
  }

  async enter(tenant: TestTenant, query = ''): Promise<Entered> {
    const browser = this.browse();
    const arrival = await browser.open(startOf(tenant, query));
    return { browser, arrival, me: (await this.ask(browser.cookie, 'GET', '/v1/me')).body };
  }

  browse(): SsoBrowser {
    return new SsoBrowser(this.kit.service.url);
  }

  async close(): Promise<void> {
    await this.kit.close();
    await this.provider.close();
  }
}

export async function startSsoKit(): Promise<SsoKit> {
  const config = { publicUrl: PUBLIC_URL, webhookAllow: '127.0.0.1', trustedProxies: '127.0.0.1' };
  const [kit, provider] = await Promise.all([
    startTestService({ config }),
    startIdentityProvider(`${PUBLIC_URL}/v1/sso/callback`),
  ]);
  return new SsoKit(kit, provider);
}

export const cookieOf = (answer: Answer) => (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
export const startOf = ({ tenantId }: TestTenant, query = '') => `/v1/sso/${tenantId}/start${query}`;
/** The page that a browser arrived at, and the problem that it names. */
export const problemIn = ({ url }: Arrival) => [url.pathname, url.searchParams.get('sso_problem')];
export const agentsOf = async (tenant: TestTenant): Promise<readonly Answer['body'][]> =>
  (await tenant.call('GET', '/v1/agents?limit=100')).body.data;
