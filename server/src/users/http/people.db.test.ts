import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makePerson, OWN_PAGE, type TestPerson } from '#testing/test-people';
import { type Answer, callApi, startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { ensureOwner } from '#users/actions/first-owner';
import { makeSignInLink } from '#users/actions/sign-in';

let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeTestTenant(kit);
});
afterAll(() => kit.close());

const people = async (of = tenant): Promise<readonly Answer['body'][]> =>
  (await of.call('GET', '/v1/people')).body.data;

/** An agent to whom an invitation was handed out. */
async function invited(fields: object = {}): Promise<{ readonly id: string; readonly token: string }> {
  const { body } = await tenant.call('POST', '/v1/agents', { name: 'Bo', ...fields });
  const { url } = (await tenant.call('POST', `/v1/agents/${body.id}/invitation`)).body;
  return { id: body.id, token: url.split('#token=')[1] };
}

const enter = (token: string): Promise<Answer> =>
  callApi(kit.service.url, 'POST', '/v1/sessions', { method: 'link', token }, OWN_PAGE);

const one = async (id: string) => (await people()).find(({ agent_id: agent }) => agent === id);

/** Somebody who is signed in, with the agent that they are. */
async function signedIn(role = 'agent'): Promise<{ readonly person: TestPerson; readonly id: string }> {
  const person = await makePerson(kit, tenant);
  const { body } = await person.signIn();
  const id = body.agent.id;
  if (role !== 'agent') expect((await tenant.call('PATCH', `/v1/agents/${id}`, { role })).status).toBe(200);
  return { person, id };
}

describe('the list of people', () => {
  test('shows an invitation until it is used, and then the open session', async () => {
    const { id, token } = await invited({ email: 'bo@shop.example' });
    const before = await one(id);
    expect(before).toMatchObject({ name: 'Bo', role: 'agent', email: 'bo@shop.example', open_sessions: 0 });
    const days = (Date.parse(before.invitation.expires_at) - Date.parse(before.invitation.created_at)) / 86_400_000;
    expect(days).toBe(7);
    expect((await enter(token)).status).toBe(201);
    expect(await one(id)).toMatchObject({ open_sessions: 1, invitation: null });
  });

  test('does not list agents without a person, nor links that the operator printed', async () => {
    const { body } = await tenant.call('POST', '/v1/agents', { name: 'Program' });
    expect(await one(body.id)).toBeUndefined();
    const owned = await makeTestTenant(kit);
    await makeSignInLink(kit.rt, kit.service.db, await ensureOwner(kit.rt, kit.service.db, owned.tenantId));
    expect(await people(owned)).toMatchObject([{ role: 'owner', invitation: null }]);
  });

  test('goes on from page to page', async () => {
    await invited();
    await invited();
    const all = await people();
    const first = await tenant.call('GET', '/v1/people?limit=1');
    expect(first.body.page.has_more).toBe(true);
    const next = await tenant.call('GET', `/v1/people?limit=1&cursor=${first.body.page.next_cursor}`);
    expect([first.body.data[0], next.body.data[0]]).toEqual(all.slice(0, 2));
  });

  test('is for those who manage agents', async () => {
    const { person } = await signedIn();
    expect((await person.ask('GET', '/v1/people')).status).toBe(403);
  });
});

describe('withdrawing an invitation', () => {
  test('stops its link and leaves the agent, once', async () => {
    const { id, token } = await invited();
    const answer = await tenant.call('DELETE', `/v1/agents/${id}/invitation`);
    expect([answer.status, answer.body]).toEqual([200, { id, status: 'deleted' }]);
    expect((await enter(token)).status).toBe(401);
    expect((await tenant.call('GET', `/v1/agents/${id}`)).status).toBe(200);
    expect((await tenant.call('DELETE', `/v1/agents/${id}/invitation`)).status).toBe(404);
  });

  test('does not touch what another tenant has', async () => {
    const { id, token } = await invited();
    const other = await makeTestTenant(kit);
    expect((await other.call('DELETE', `/v1/agents/${id}/invitation`)).status).toBe(404);
    expect((await enter(token)).status).toBe(201);
  });

  test('of an owner is for owners', async () => {
    const { id, token } = await invited({ role: 'owner' });
    const { person } = await signedIn('admin');
    expect((await person.ask('DELETE', `/v1/agents/${id}/invitation`)).status).toBe(403);
    expect((await enter(token)).status).toBe(201);
  });

  test('after the link was used finds none', async () => {
    const { id, token } = await invited();
    const [used, withdrawn] = await Promise.all([enter(token), tenant.call('DELETE', `/v1/agents/${id}/invitation`)]);
    // Whoever comes first wins, and the other one is told.
    expect([201, 401]).toContain(used.status);
    expect(withdrawn.status).toBe(used.status === 201 ? 404 : 200);
  });
});

describe('sessions of others', () => {
  const sessionsOf = async (id: string) => (await tenant.call('GET', `/v1/agents/${id}/sessions`)).body.data;

  test('are listed and ended one by one, and the others go on', async () => {
    const { person, id } = await signedIn();
    const first = person.cookie;
    person.cookie = null;
    await person.signIn();
    const [second, ...more] = await sessionsOf(id);
    expect(more).toHaveLength(1);
    const ended = await tenant.call('POST', `/v1/agents/${id}/end-sessions`, { session_ids: [second.id] });
    expect(ended.body).toEqual({ ended: 1 });
    await kit.until(
      () => person.ask('GET', '/v1/me'),
      ({ status }) => status === 401,
      'the session ends',
    );
    person.cookie = first;
    expect((await person.ask('GET', '/v1/me')).status).toBe(200);
    expect(await sessionsOf(id)).toMatchObject([{ id: more[0].id }]);
  });

  test('are ended all at once, with an entry in the audit log for each', async () => {
    const { person, id } = await signedIn();
    person.cookie = null;
    await person.signIn();
    expect((await tenant.call('POST', `/v1/agents/${id}/end-sessions`)).body).toEqual({ ended: 2 });
    expect(await sessionsOf(id)).toEqual([]);
    const { body } = await tenant.call('GET', '/v1/audit-log?action=session.ended&limit=100');
    expect(body.data.filter((entry: Answer['body']) => entry.target_id === id)).toHaveLength(2);
    expect((await tenant.call('POST', `/v1/agents/${id}/end-sessions`)).body).toEqual({ ended: 0 });
  });

  test('of another agent or another tenant are passed over', async () => {
    const [first, second] = [await signedIn(), await signedIn()];
    const [open] = await sessionsOf(second.id);
    const path = `/v1/agents/${first.id}/end-sessions`;
    expect((await tenant.call('POST', path, { session_ids: [open.id] })).body).toEqual({ ended: 0 });
    const other = await makeTestTenant(kit);
    expect((await other.call('POST', path)).status).toBe(404);
    expect((await other.call('GET', `/v1/agents/${first.id}/sessions`)).status).toBe(404);
    expect((await second.person.ask('GET', '/v1/me')).status).toBe(200);
  });

  test('in another tenant of the same person stay unknown here', async () => {
    const { person, id } = await signedIn();
    const other = await makeTestTenant(kit);
    const { body: agent } = await other.call('POST', '/v1/agents', { name: 'Ada' });
    const text = 'update agents set user_id = $3 where tenant_id = $1 and agent_id = $2';
    await kit.service.db.run({ name: 'test_work_elsewhere', text }, [other.tenantId, agent.id, person.userId]);
    const here = person.cookie;
    const switched = await person.ask('POST', '/v1/sessions', { method: 'switch', tenant_id: other.tenantId });
    expect(switched.status).toBe(201);
    expect(here).not.toBe(person.cookie);
    expect(await sessionsOf(id)).toEqual([]);
    expect((await tenant.call('POST', `/v1/agents/${id}/end-sessions`)).body).toEqual({ ended: 0 });
    expect((await person.ask('GET', '/v1/me')).status).toBe(200);
  });

  test('of an owner are ended by owners', async () => {
    const owner = await signedIn('owner');
    const admin = await signedIn('admin');
    const path = `/v1/agents/${owner.id}/end-sessions`;
    expect((await admin.person.ask('POST', path)).status).toBe(403);
    expect((await owner.person.ask('GET', '/v1/me')).status).toBe(200);
    expect((await admin.person.ask('POST', `/v1/agents/${admin.id}/end-sessions`)).body).toEqual({ ended: 1 });
  });

  test('are neither seen nor ended by plain agents', async () => {
    const { person, id } = await signedIn();
    expect((await person.ask('GET', `/v1/agents/${id}/sessions`)).status).toBe(403);
    expect((await person.ask('POST', `/v1/agents/${id}/end-sessions`)).status).toBe(403);
  });
});
