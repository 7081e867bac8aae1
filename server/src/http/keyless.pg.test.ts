import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EndpointId } from '#core/ids';
import { bodyOf, type Call, send } from '#http/testing/calls';
import { described } from '#http/testing/described';
import type { Stage } from '#http/testing/scenes';
import { startTestService } from '#testing/test-service';
import { makeTestTenant } from '#testing/test-tenant';
import { insertEndpoint } from '#webhooks/store/webhook-endpoints';

let keyless: Stage;
let endpointId: EndpointId;

beforeAll(async () => {
  // On a database that processes share, and beside the real network, a service makes no key by itself.
  const kit = await startTestService({ config: { roles: 'api', networkIsSimulator: 'no' } });
  const tenant = await makeTestTenant(kit);
  keyless = { kit, tenant };
  endpointId = kit.rt.newId<EndpointId>();
  await kit.service.db.transaction((tx) =>
    insertEndpoint(tx, {
      tenantId: tenant.tenantId,
      endpointId,
      url: 'https://shop.example/hook',
      description: null,
      format: 'postrider',
      types: null,
      ordering: 'none',
      disabledReason: null,
      disabledMs: null,
      secret: { sealed: 'by a key that was here once', keyId: 'f3a91c' },
      createdMs: kit.rt.clock.now(),
    }),
  );
});
afterAll(() => keyless.kit.close());

const failures = described.flatMap((operation) =>
  operation.failures
    .filter(({ name }) => ['secretsUnavailable', 'linkingUnavailable'].includes(name))
    .map((failure) => ({ operation, failure, id: operation.id, name: failure.name })),
);

test.each(failures)('$id $name is what a service without a key really answers', async ({ operation, failure }) => {
  const target = operation.path.replace('{platform}', 'meta').replace('{id}', endpointId);
  const query = operation.id === 'completeLink' ? '?code=AQBx3vK&state=made-up' : '';
  const call: Call = { method: operation.method, target: target + query, ...bodyOf(operation.bodies[0] ?? null) };
  const { status, body } = await send(keyless.kit, operation.scope === null ? null : keyless.tenant.key, call);
  expect({ status, body }).toEqual({ status: failure.status, body: failure.body });
});

test('five examples are told of a service without a key', () => {
  expect(failures.length).toBe(5);
});
