import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addExampleAgents, EXAMPLE_AGENTS } from '#testing/test-agents';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

const [ADA, BEN] = EXAMPLE_AGENTS;
let kit: TestService;
let tenant: TestTenant;
let conversation: string;

beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
  await addExampleAgents(kit.rt, kit.service.db, tenant.tenantId);
  const from = freshPhone();
  await kit.simulate('POST', '/_sim/inbound', { phone_number_id: tenant.phoneNumberId, from, text: 'Hi' });
  const list = () => tenant.call('GET', `/v1/messages/inbound?from=${from}`);
  const { body } = await kit.until(list, (answer) => answer.body.data.length > 0, 'the message is stored');
  conversation = body.data[0].conversation_id;
});
afterAll(() => kit.close());

const signal = (agentId: string, viewing: boolean, writing: boolean, id = conversation, by = tenant) =>
  by.call('PUT', `/v1/conversations/${id}/signal`, { viewing, writing }, { 'x-agent-id': agentId });

async function open(key: string, query: string) {
  const headers = { authorization: `Bearer ${key}` };
  const { body } = await fetch(`${kit.service.url}/v1/events/stream${query}`, { headers });
  if (body === null) throw new Error('The stream is empty.');
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let seen = '';
  return {
    until: async (text: string) => {
      while (!seen.includes(text)) {
        const { value } = await reader.read();
        if (value === undefined) throw new Error(`The stream ended after ${seen}`);
        seen += value;
      }
      return seen;
    },
    close: () => reader.cancel(),
  };
}

const frameOf = (agentId: string, viewing: boolean, writing: boolean) =>
  `event: signal\ndata: ${JSON.stringify({ conversation_id: conversation, agent_id: agentId, viewing, writing })}\n\n`;

describe('a signal of an agent', () => {
  test('is on streams that ask for it, and what holds is there first', async () => {
    const [with_, without] = [await open(tenant.key, '?signals=true'), await open(tenant.key, '')];
    await with_.until('retry');
    expect((await signal(ADA, true, false)).status).toBe(204);
    await with_.until(frameOf(ADA, true, false));
    await signal(BEN, true, true);
    await with_.until(frameOf(BEN, true, true));
    const late = await open(tenant.key, '?signals=true');
    await late.until(frameOf(BEN, true, true));
    await signal(BEN, false, false);
    await with_.until(frameOf(BEN, false, false));
    // An event that follows is on both: the stream without signals had none before it.
    await tenant.call('POST', '/v1/contacts', { phone: freshPhone() });
    expect(await without.until('contact.created')).not.toContain('signal');
    expect(await with_.until('contact.created')).toContain('contact.created');
    for (const stream of [with_, without, late]) await stream.close();
  });

  test('is no event, changes nothing that is stored, and is not on the streams of other tenants', async () => {
    const stranger = await makeTestTenant(kit);
    const foreign = await open(stranger.key, '?signals=true');
    await foreign.until('retry');
    const before = (await tenant.call('GET', `/v1/conversations/${conversation}`)).body;
    const { body } = await tenant.call('GET', '/v1/events?limit=200');
    await signal(ADA, true, true);
    expect((await tenant.call('GET', '/v1/events?limit=200')).body).toEqual(body);
    expect((await tenant.call('GET', `/v1/conversations/${conversation}`)).body).toEqual(before);
    await stranger.call('POST', '/v1/contacts', { phone: freshPhone() });
    expect(await foreign.until('contact.created')).not.toContain('event: signal');
    await foreign.close();
  });

  test('is refused without an agent, with half a body, and for a conversation that is not there', async () => {
    const path = `/v1/conversations/${conversation}/signal`;
    const as = { 'x-agent-id': ADA };
    const noAgent = await tenant.call('PUT', path, { viewing: true, writing: true });
    expect([noAgent.status, noAgent.body.details[0].path]).toEqual([400, 'header.x-agent-id']);
    expect((await tenant.call('PUT', path, { viewing: true }, as)).status).toBe(400);
    expect((await tenant.call('PUT', path, { viewing: 'yes', writing: false }, as)).status).toBe(400);
    expect((await signal(ADA, true, true, `${conversation.slice(0, -4)}dead`)).status).toBe(404);
    const stranger = await makeTestTenant(kit);
    await stranger.call('POST', '/v1/agents', { name: 'Eve' });
    const [eve] = (await stranger.call('GET', '/v1/agents')).body.data;
    expect((await signal(eve.id, true, true, conversation, stranger)).status).toBe(404);
  });
});
