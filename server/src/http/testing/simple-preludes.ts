import { flowPreludes } from './flow-scenes.ts';
import { expectStatus, type Stage } from './scenes.ts';

/** Preludes that need nothing but the API or one statement: what has to be gone, or there, before an example is sent. */
export const simplePreludes: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  createWebhookEndpoint: async ({ tenant }) => {
    const { data } = (await tenant.call('GET', '/v1/webhook-endpoints')).body;
    for (const { id } of data) expectStatus(await tenant.call('DELETE', `/v1/webhook-endpoints/${id}`), 200);
  },
  createCannedReply: async ({ tenant }) => {
    const [known] = (await tenant.call('GET', '/v1/canned-replies?prefix=hours')).body.data;
    if (known) expectStatus(await tenant.call('DELETE', `/v1/canned-replies/${known.id}`), 200);
  },
  createContactAttribute: async ({ kit, tenant: { tenantId } }) => {
    const text = "delete from contact_attributes where tenant_id = $1 and key = 'birthday'";
    await kit.service.db.run({ name: 'test_forget_attribute', text }, [tenantId]);
  },
  // Another number may have it of an earlier example.
  setNumberUsername: async ({ tenant }) => {
    const path = `/v1/phone-numbers/${tenant.phoneNumberId}/username`;
    expectStatus(await tenant.call('PUT', path, { username: 'flower.shop', transfer: true }), 200);
    expectStatus(await tenant.call('DELETE', path), 200);
  },
  ...flowPreludes,
  getSsoConnection: connectProvider,
  deleteSsoConnection: connectProvider,
};

async function connectProvider({ tenant }: Stage): Promise<void> {
  const connection = { issuer: 'https://login.example.com', client_id: 'postrider', client_secret: 'a secret' };
  expectStatus(await tenant.call('PUT', '/v1/sso-connection', connection), 200);
}
