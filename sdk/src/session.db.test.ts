import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../server/src/testing/test-service.ts';
import { makeTestTenant, type TestTenant } from '../../server/src/testing/test-tenant.ts';
import { ensureOwner } from '../../server/src/users/actions/first-owner.ts';
import { makeSignInLink } from '../../server/src/users/actions/sign-in.ts';
import { AuthenticationError, PermissionError, Postrider } from './index.ts';

let kit: TestService;
let tenant: TestTenant;
beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeTestTenant(kit);
});
afterAll(() => kit.close());

/** A page as a browser has it: it keeps cookies, and says where its requests come from. */
function page(siteOf: () => string = () => 'same-origin'): Postrider {
  let cookie = '';
  const browser: typeof fetch = async (input, init) => {
    const headers = {
      ...(init?.headers as Record<string, string>),
      'sec-fetch-site': siteOf(),
      ...(cookie && { cookie }),
    };
    const response = await fetch(input, { ...init, headers });
    cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie;
    return response;
  };
  return new Postrider({ session: true, baseUrl: kit.service.url, fetch: browser });
}

async function signedIn(pr: Postrider): Promise<Postrider> {
  const ownerId = await ensureOwner(kit.rt, kit.service.db, tenant.tenantId);
  const link = new URL(await makeSignInLink(kit.rt, kit.service.db, ownerId));
  await pr.sessions.create({ method: 'link', token: link.hash.replace('#token=', '') });
  return pr;
}

describe('a page of the service', () => {
  test('signs in, and is the person with an agent from then on', async () => {
    const pr = page();
    await expect(pr.me.get()).rejects.toBeInstanceOf(AuthenticationError);
    await signedIn(pr);
    const { tenant: shown, agent } = await pr.me.get();
    expect(shown.id).toBe(tenant.tenantId);
    const team = await pr.teams.create({ name: 'Support' });
    expect(await pr.teams.update(team.id, { name: 'Help' })).toMatchObject({ name: 'Help' });
    const first = (await pr.auditLog.list({ action: 'team.created' })).data[0];
    expect(first?.actor).toMatchObject({ agent_id: agent?.id });
  });

  test('hears of events on its stream', async () => {
    const pr = await signedIn(page());
    const names: string[] = [];
    const stream = pr.events.stream({ types: ['team.created'], onCursor: () => startOnce() });
    let hasStarted = false;
    const startOnce = async () => {
      if (hasStarted) return;
      hasStarted = true;
      await pr.teams.create({ name: 'Night shift' });
    };
    for await (const event of stream) {
      if (event.type === 'team.created') names.push(event.data.name);
      break;
    }
    expect(names).toEqual(['Night shift']);
  });

  test('signs out, and is nobody from then on', async () => {
    const pr = await signedIn(page());
    await pr.sessions.delete('current');
    await expect(pr.me.get()).rejects.toBeInstanceOf(AuthenticationError);
  });

  test('of another site changes nothing, even with the cookie', async () => {
    let site = 'same-origin';
    const pr = await signedIn(page(() => site));
    site = 'cross-site';
    const made = pr.teams.create({ name: 'Stolen' });
    await expect(made).rejects.toBeInstanceOf(PermissionError);
    await expect(made).rejects.toMatchObject({ code: 'cross_site' });
  });
});
