import { addSimulatedNumber, allow, linkAccount, makeSimulatedAccount, passDialog } from '#testing/peers/link-dialog';
import { expectStatus, type Stage } from './scenes.ts';

const EXAMPLE_NUMBER = '106540352242922';

/**
 * Whole targets of operations whose way leads through a person at the dialog of the network, in a state in which they
 * succeed; by operation.
 */
export const linkingTargets: Readonly<Record<string, (stage: Stage) => Promise<string>>> = {
  getLinkUrl: async () => '/v1/platform/oauth/url',
  completeLink: async ({ kit, tenant }) => {
    const { networkAccountId } = await makeSimulatedAccount(kit);
    return wayBack(await passDialog(tenant, allow(networkAccountId)));
  },
  getAccount: async (stage) => `/v1/accounts/${await linkedAccount(stage)}`,
  retryAccount: async (stage) => `/v1/accounts/${await linkedAccount(stage)}/retry`,
  unlinkAccount: async (stage) => `/v1/accounts/${await linkedAccount(stage)}`,
  addPhoneNumber: async (stage) => {
    await removeExampleNumber(stage);
    return '/v1/phone-numbers';
  },
};

/** Path and query of the address that the dialog leads a browser to. */
export function wayBack(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}

async function linkedAccount({ kit, tenant }: Stage): Promise<string> {
  const { networkAccountId } = await makeSimulatedAccount(kit);
  return (await linkAccount(tenant, networkAccountId)).id;
}

/** The number of the example belongs to a linked account then, and is no sending number. */
async function removeExampleNumber({ kit, tenant }: Stage): Promise<void> {
  const { networkAccountId } = await makeSimulatedAccount(kit);
  await addSimulatedNumber(kit, networkAccountId, true, EXAMPLE_NUMBER);
  await linkAccount(tenant, networkAccountId);
  expectStatus(await tenant.call('DELETE', `/v1/phone-numbers/${EXAMPLE_NUMBER}`), 200);
}
