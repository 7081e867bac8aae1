import { suspendTenant } from '#access/actions/suspend-tenant';
import { allow, makeSimulatedAccount, passDialog } from '#testing/peers/link-dialog';
import { makeTestTenant } from '#testing/test-tenant';
import { send } from './calls.ts';
import { wayBack } from './linking-scenes.ts';
import type { Provocation, Target } from './provocations.ts';
import { expectStatus } from './scenes.ts';

/** Failures of linking, by operation and name of the example. */
export const linkingProvocations: Readonly<Record<string, Provocation>> = {
  'completeLink invalidLinkState': comingBack(async () => '/v1/platform/oauth/callback?code=AQBx3vK&state=made-up'),
  'completeLink linkRefused': comingBack(async ({ stage }) =>
    wayBack(await passDialog(stage.tenant, { decision: 'cancel' })),
  ),
  'completeLink tenantSuspended': comingBack(async ({ stage: { kit } }) => {
    const stopped = await makeTestTenant(kit);
    const back = await passDialog(stopped, { decision: 'cancel' });
    await suspendTenant(kit.rt, kit.service.db, { tenantId: stopped.tenantId, reason: null });
    return wayBack(back);
  }),
  'completeLink linkFailed': comingBack(withUnknownCode),
  'retryAccount noToken': async (target) => {
    const { stage, operation } = target;
    const poor = await makeTestTenant(stage.kit);
    const poorly = { ...target, stage: { ...stage, tenant: poor } };
    const came = { method: 'GET', target: await withUnknownCode(poorly), headers: {}, body: null };
    expectStatus(await send(stage.kit, null, came), 400);
    const [failed] = (await poor.call('GET', '/v1/accounts')).body.data;
    const again = { method: 'POST', target: operation.path.replace('{id}', failed.id), headers: {}, body: null };
    return send(stage.kit, poor.key, again);
  },
  'addPhoneNumber unknownPhoneNumber': async ({ perform, ready }) => {
    return perform({ ...(await ready()), body: JSON.stringify({ phone_number_id: '99' }) });
  },
  'addPhoneNumber here': async ({ perform, ready }) => {
    const call = await ready();
    expectStatus(await perform(call), 201);
    return perform(call);
  },
};

/** As a browser comes back: without a key. */
function comingBack(target: (from: Target) => Promise<string>): Provocation {
  return async (from) =>
    send(from.stage.kit, null, { method: 'GET', target: await target(from), headers: {}, body: null });
}

async function withUnknownCode({ stage }: Target): Promise<string> {
  const { networkAccountId } = await makeSimulatedAccount(stage.kit);
  const address = new URL(await passDialog(stage.tenant, allow(networkAccountId)));
  address.searchParams.set('code', 'AQ-never-given');
  return wayBack(address.href);
}
