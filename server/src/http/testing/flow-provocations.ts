import { linkAccount, makeSimulatedAccount } from '#testing/peers/link-dialog';
import { makeTestTenant } from '#testing/test-tenant';
import { type Provocation, type Target, whileStepFails } from './provocations.ts';
import { expectStatus } from './scenes.ts';
import { callTo } from './template-provocations.ts';

/** The codes that the network refuses with, by operation; the others only read, or find no permission. */
const CODES: Readonly<Record<string, number>> = {
  updateFlow: 139001,
  setFlowJson: 139001,
  publishFlow: 139002,
  deprecateFlow: 139003,
  deleteFlow: 139004,
};
const READING = ['listFlows', 'createFlow', 'getFlow', 'listFlowAnswers'];
const NO_PERMISSION = 10;
/** Above the largest JSON that the network takes. */
const TOO_LARGE = 11 * 1024 * 1024;

/** Failures of what is asked of the network about flows, by operation and name of the example. */
export const flowProvocations: Readonly<Record<string, Provocation>> = {
  ...Object.fromEntries(
    READING.flatMap((id) => [
      [`${id} noToken`, whileUnlinked],
      [`${id} refusedByNetwork`, whileStepFails({ flows: { code: NO_PERMISSION } })],
      [`${id} networkUnreachable`, whileStepFails({ flows: { fault: 'cut' } })],
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(CODES).flatMap(([id, code]) => [
      [`${id} noToken`, whileUnlinked],
      [`${id} refusedByNetwork`, whileStepFails({ flow_change: { code } })],
      [`${id} networkUnreachable`, whileStepFails({ flow_change: { fault: 'cut' } })],
    ]),
  ),
  'createFlow unknownNetworkAccount': withFields({ network_account_id: '99' }),
  'createFlow unknownSource': withFields({ clone_flow_id: '99' }),
  'createFlow payloadTooLarge': withFields({ name: 'x'.repeat(TOO_LARGE) }),
  'setFlowJson payloadTooLarge': withFields({ version: 'x'.repeat(TOO_LARGE) }),
};

function withFields(fields: object): Provocation {
  return async ({ perform, ready }) => {
    const call = await ready();
    const body = { name: 'appointment', categories: ['other'], ...fields };
    return perform({ ...call, body: JSON.stringify(body) });
  };
}

/** For a tenant whose account was linked, and is no more. */
export async function whileUnlinked({ stage: { kit }, operation, ready }: Target) {
  const { body } = await ready();
  const tenant = await makeTestTenant(kit);
  const { networkAccountId } = await makeSimulatedAccount(kit);
  const { id } = await linkAccount(tenant, networkAccountId);
  expectStatus(await tenant.call('DELETE', `/v1/accounts/${id}`), 200);
  const { method, target } = callTo(operation, '99');
  return tenant.call(method, target, typeof body === 'string' ? JSON.parse(body) : undefined);
}
