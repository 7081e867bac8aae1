import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, startService } from '#bin/service';
import { addConversations, addExampleAgents, EXAMPLE_AGENTS } from '#testing/test-agents';
import { testRuntime } from '#testing/test-runtime';
import { startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant } from '#testing/test-tenant';

let kit: TestService;
let second: Service;
beforeAll(async () => {
  kit = await startTestService();
  second = await startService(testRuntime({ ...kit.rt.config, port: 0, roles: 'api' }));
});
afterAll(async () => {
  await second.close();
  await kit.close();
});

test('a signal is on the streams of other processes, without being renewed', async () => {
  const tenant = await makeTestTenant(kit);
  await addExampleAgents(kit.rt, kit.service.db, tenant.tenantId);
  const [id = ''] = await addConversations(kit.rt, kit.service.db, tenant.tenantId, [{}]);
  const headers = { authorization: `Bearer ${tenant.key}` };
  const { body } = await fetch(`${second.url}/v1/events/stream?signals=true`, { headers });
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let seen = (await reader?.read())?.value ?? '';
  const path = `/v1/conversations/${id}/signal`;
  const as = { 'x-agent-id': EXAMPLE_AGENTS[0] };
  expect((await tenant.call('PUT', path, { viewing: true, writing: true }, as)).status).toBe(204);
  while (!seen.includes('event: signal')) seen += (await reader?.read())?.value ?? '';
  expect(seen).toContain(`"agent_id":"${EXAMPLE_AGENTS[0]}","viewing":true,"writing":true`);
  await reader?.cancel();
});
