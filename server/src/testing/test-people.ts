import type { UserId } from '#core/ids';
import { type Answer, callApi, type TestService } from '#testing/test-service';
import { invitePerson } from '#users/actions/invite-person';
import { makeSignInLink } from '#users/actions/sign-in';
import { totpCode, totpStep } from '#users/domain/totp';
import type { TestTenant } from './test-tenant.ts';

/** As a page of the service asks. */
export const OWN_PAGE = { 'postrider-client': 'test', 'sec-fetch-site': 'same-origin' };
export const GOOD_PASSWORD = 'seven quiet lanterns bloom';

/** A person with a browser. */
export interface TestPerson {
  readonly userId: UserId;
  readonly email: string;
  /** Null: not signed in. */
  cookie: string | null;
  /** Asks as a page of the service does, and keeps the cookie that an answer sets. */
  ask(method: string, path: string, body?: unknown, headers?: object): Promise<Answer>;
  /** Signs in by a fresh link. */
  signIn(fields?: object): Promise<Answer>;
  /** Tries to sign in by password. */
  enter(password: string, fields?: object): Promise<Answer>;
}

/** Somebody who works in a tenant, not signed in and without a password. */
export async function makePerson(
  kit: TestService,
  tenant: TestTenant,
  email = `person-${kit.rt.newId()}@example.com`,
): Promise<TestPerson> {
  const invitation = { tenantId: tenant.tenantId, email, name: 'Ada', role: 'agent' } as const;
  const { userId } = await invitePerson(kit.rt, kit.service.db, invitation);
  const person: TestPerson = {
    userId,
    email,
    cookie: null,
    ask: async (method, path, body, headers = OWN_PAGE) => {
      const all = { ...(person.cookie === null ? {} : { cookie: person.cookie }), ...headers } as Record<
        string,
        string
      >;
      const answer = await callApi(kit.service.url, method, path, body, all);
      const [cookie] = (answer.headers.get('set-cookie') ?? '').split(';');
      if (cookie) person.cookie = cookie.endsWith('=') ? null : cookie;
      return answer;
    },
    signIn: async (fields = {}) => {
      const [, token] = (await makeSignInLink(kit.rt, kit.service.db, userId)).split('#token=');
      return person.ask('POST', '/v1/sessions', { method: 'link', token, ...fields });
    },
    enter: (password, fields = {}) =>
      person.ask('POST', '/v1/sessions', { method: 'password', email, password, ...fields }),
  };
  return person;
}

/** The same with a password, signed in. */
export async function makePersonWithPassword(kit: TestService, tenant: TestTenant): Promise<TestPerson> {
  const person = await makePerson(kit, tenant);
  await person.signIn();
  const answer = await person.ask('PUT', '/v1/me/password', { new_password: GOOD_PASSWORD });
  if (answer.status !== 200) throw new Error(answer.text);
  return person;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** What an authenticator app shows. @param secret base32 @param stepsLater counted from now */
export function appCode(secret: string, nowMs: number, stepsLater = 0): string {
  const bits = [...secret].map((character) => ALPHABET.indexOf(character).toString(2).padStart(5, '0')).join('');
  const bytes = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  return totpCode(Uint8Array.from(bytes), totpStep(nowMs) + stepsLater);
}
