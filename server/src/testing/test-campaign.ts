import { randomBytes } from 'node:crypto';
import type { CampaignStatus } from '#campaigns/domain/campaign';
import { lockCampaign, updateCampaign } from '#campaigns/store/campaigns';
import type { TestService } from './test-service.ts';
import { freshPhone, type TestTenant } from './test-tenant.ts';

/** A campaign of two recipients in a state in which it stays: nothing steps it. @returns its id */
export async function makeCampaign(
  kit: TestService,
  tenant: TestTenant,
  status: CampaignStatus = 'draft',
): Promise<string> {
  const name = `Campaign ${randomBytes(6).toString('hex')}`;
  const template = { name: 'order_shipped', language: 'en' };
  const made = await tenant.call('POST', '/v1/campaigns', { name, template });
  if (made.status !== 201) throw new Error(`${made.status}: ${made.text}`);
  const { id } = made.body;
  const recipients = [{ to: freshPhone() }, { to: freshPhone(), variables: { code: 'A1' } }];
  const added = await tenant.call('POST', `/v1/campaigns/${id}/recipients`, { recipients });
  if (added.status !== 200) throw new Error(`${added.status}: ${added.text}`);
  await kit.service.db.transaction(async (tx) => {
    const campaign = await lockCampaign(tx, tenant.tenantId, id);
    if (campaign === null || status === 'draft') return;
    const pauseReason = status === 'paused' ? 'For a test.' : null;
    await updateCampaign(tx, { ...campaign, status, pauseReason }, null);
  });
  return id;
}
