import { uploadFile } from '#testing/media/test-media';
import { linkAccount, makeSimulatedAccount } from '#testing/peers/link-dialog';
import { makeTestTenant } from '#testing/test-tenant';
import { type Provocation, type Target, whileStepFails } from './provocations.ts';
import { expectStatus } from './scenes.ts';
import { callTo } from './template-provocations.ts';

/** Operations that ask the network about a number, and the step of the simulator that each of them comes to first. */
const STEPS: Readonly<Record<string, string>> = {
  getNumberProfile: 'profile',
  updateNumberProfile: 'profile',
  setNumberPicture: 'profile',
  getNumberCommands: 'number',
  updateNumberCommands: 'number',
  listNumberQrCodes: 'qr_codes',
  createNumberQrCode: 'qr_codes',
  getNumberQrCode: 'qr_codes',
  updateNumberQrCode: 'qr_codes',
  deleteNumberQrCode: 'qr_codes',
  getNumberDisplayName: 'number',
  requestNumberDisplayName: 'number',
  getNumberUsername: 'username',
  setNumberUsername: 'username',
  deleteNumberUsername: 'username',
  setNumberPin: 'number_change',
  listNumberBlockedUsers: 'block_users',
};

/** Failures of what is asked of the network about numbers, by operation and name of the example. */
export const businessProvocations: Readonly<Record<string, Provocation>> = {
  ...Object.fromEntries(
    Object.entries(STEPS).flatMap(([id, step]) => [
      [`${id} noToken`, whileUnlinked],
      [`${id} refusedByNetwork`, whileStepFails({ [step]: { code: 100 } })],
      [`${id} networkUnreachable`, whileStepFails({ [step]: { fault: 'cut' } })],
    ]),
  ),
  'setNumberPicture unknownMedia': async ({ perform, ready }) => {
    const call = await ready();
    return perform({ ...call, body: JSON.stringify({ media_id: '0190a6f2-0000-7000-8000-00000000dead' }) });
  },
  'setNumberPicture notAPicture': async ({ stage, perform, ready }) => {
    const call = await ready();
    const { body } = await uploadFile(stage.kit, stage.tenant.key, Buffer.from('Hello'), {
      filename: 'hello.txt',
      type: 'text/plain',
    });
    return perform({ ...call, body: JSON.stringify({ media_id: body.media_id }) });
  },
  'updateNumberCommands emoji': async ({ perform, ready }) =>
    perform({ ...(await ready()), body: JSON.stringify({ ice_breakers: ['Flowers 🌷'] }) }),
  'setNumberUsername usernameTaken': async ({ stage: { tenant }, perform, ready }) => {
    const call = await ready();
    const path = `/v1/phone-numbers/${tenant.phoneNumberId}/username`;
    expectStatus(await tenant.call('PUT', path, { username: 'flower.shop', transfer: true }), 200);
    return perform(call);
  },
};

/** At a number whose account was linked, and is no more. */
async function whileUnlinked({ stage: { kit }, operation, ready }: Target) {
  const { body } = await ready();
  const tenant = await makeTestTenant(kit);
  const { networkAccountId, phoneNumberId } = await makeSimulatedAccount(kit);
  const { id } = await linkAccount(tenant, networkAccountId);
  expectStatus(await tenant.call('DELETE', `/v1/accounts/${id}`), 200);
  const call = callTo({ ...operation, path: operation.path.replace('{code}', 'ANY') }, phoneNumberId);
  return tenant.call(call.method, call.target, typeof body === 'string' ? JSON.parse(body) : undefined);
}
