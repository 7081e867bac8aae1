import { randomInt } from 'node:crypto';
import { createApiKey, createTenant } from '#access/actions/manage-tenants';
import { addPhoneNumber } from '#accounts/actions/add-number';
import type { PhoneNumberId, TenantId } from '#core/ids';
import { countryOf } from '#core/phone/number-plan';
import { type Answer, callApi, type TestService } from './test-service.ts';

/** A tenant of one test, with a key and a sending number of its own: tests of one file do not meet. */
export interface TestTenant {
  readonly tenantId: TenantId;
  readonly key: string;
  readonly phoneNumberId: PhoneNumberId;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Posts a text and returns the id of its 202; throws on any other answer. */
  send(to: string, fields?: object): Promise<string>;
  /** The message as the API shows it. */
  message(id: string): Promise<Answer['body']>;
  /** Waits until the message is as wanted. */
  untilMessage(id: string, done: (message: Answer['body']) => boolean, what: string): Promise<Answer['body']>;
  /** Names of what happened to a message, in order. */
  events(id: string): Promise<readonly string[]>;
  /** What the network took from this number, in order; of one recipient when named. */
  ledger(to?: string): Promise<Answer['body'][]>;
}

export interface TestTenantOptions {
  readonly unknownResends?: number;
  readonly windowPolicy?: 'network' | 'refuse' | 'template';
  /** With the policy template. */
  readonly fallback?: { readonly name: string; readonly language: string } | null;
  /** Messages per second of the number; null: the configured default; 0: no limit. */
  readonly ratePerSecond?: number | null;
  readonly scopes?: readonly string[];
  /** The account of the simulator that its number is in, so that it has templates. */
  readonly networkAccountId?: string;
}

const LEDGER_LIMIT = 10_000;

export async function makeTestTenant(kit: TestService, options: TestTenantOptions = {}): Promise<TestTenant> {
  const { rt, service } = kit;
  const {
    unknownResends = 1,
    windowPolicy = 'network',
    fallback = null,
    ratePerSecond = null,
    scopes = [],
    networkAccountId = null,
  } = options;
  const tenantId = await createTenant(rt, service.db, { name: 'Test', unknownResends, windowPolicy, fallback });
  const { key } = await createApiKey(rt, service.db, { tenantId, name: 'test', mode: 'test', scopes, expiresMs: null });
  const phoneNumberId = freshDigits('20') as PhoneNumberId;
  await addPhoneNumber(rt, service.db, {
    tenantId,
    phoneNumberId,
    displayPhone: freshPhone(),
    name: null,
    ratePerSecond,
    networkAccountId,
  });
  const call: TestTenant['call'] = (method, path, body, headers = {}) =>
    callApi(service.url, method, path, body, { authorization: `Bearer ${key}`, ...headers });
  const message = async (id: string) => (await call('GET', `/v1/messages/${id}`)).body;
  return {
    tenantId,
    key,
    phoneNumberId,
    call,
    send: async (to, fields = {}) => acceptedId(await call('POST', '/v1/messages', { to, body: 'Hello', ...fields })),
    message,
    untilMessage: (id, done, what) => kit.until(() => message(id), done, what),
    events: async (id) => {
      const trace = (await call('GET', `/v1/messages/${id}/trace`)).body;
      return trace.data.map((entry: { event: string }) => entry.event);
    },
    ledger: async (to) => {
      const recipient = to === undefined ? '' : `&to=${to}`;
      const path = `/_sim/messages?limit=${LEDGER_LIMIT}&phone_number_id=${phoneNumberId}${recipient}`;
      return (await kit.simulate('GET', path)).body.data;
    },
  };
}

/** A recipient that no other test writes to; of a known country, so that all contacts have the same fields. */
export function freshPhone(): string {
  const phone = freshDigits('4477');
  return countryOf(phone) === null ? freshPhone() : phone;
}

function freshDigits(prefix: string): string {
  return prefix + String(randomInt(100_000_000)).padStart(8, '0');
}

function acceptedId(answer: Answer): string {
  if (answer.status !== 202) throw new Error(`Expected a 202, got ${answer.status}: ${answer.text}`);
  return answer.body.id;
}
