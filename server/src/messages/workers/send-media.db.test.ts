import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { jpegBytes, uploadFile } from '#testing/media/test-media';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

/** The whole way of an uploaded file to a customer, against the simulator, which knows only media that it was given. */
let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  // 0: every wait between attempts is as short as its floor.
  kit = await startTestService({ random: () => 0 });
});
beforeEach(async () => {
  tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
  await kit.simulate('PUT', '/_sim/failures', {});
});
afterAll(() => kit.close());

async function uploaded(bytes = jpegBytes()): Promise<string> {
  return (await uploadFile(kit, tenant.key, bytes)).body.media_id;
}

function sendImage(mediaId: string, to = freshPhone()): Promise<string> {
  return tenant.send(to, { type: 'image', body: undefined, media: { media_id: mediaId, caption: 'Look' } });
}

const isSent = (message: { status: string }): boolean => message.status === 'sent';

async function atNetwork(): Promise<readonly { id: string; sha256: string }[]> {
  const { data } = (await kit.simulate('GET', '/_sim/media')).body;
  return data.filter((item: { phone_number_id: string }) => item.phone_number_id === tenant.phoneNumberId);
}

describe('an image that was uploaded', () => {
  test('reaches the customer under an id of the network, uploaded once for all messages', async () => {
    const bytes = jpegBytes(150_000);
    const mediaId = await uploaded(bytes);
    const ids = await Promise.all([1, 2, 3, 4, 5].map(() => sendImage(mediaId)));
    for (const id of ids) await tenant.untilMessage(id, isSent, 'the image is sent');
    const copies = await atNetwork();
    expect(copies).toEqual([expect.objectContaining({ sha256: createHash('sha256').update(bytes).digest('hex') })]);
    const ledger = await tenant.ledger();
    expect(ledger.map(({ request }) => request.image)).toEqual(ids.map(() => ({ id: copies[0]?.id, caption: 'Look' })));
  });

  test('is uploaded again when the network has forgotten it', async () => {
    const mediaId = await uploaded();
    await tenant.untilMessage(await sendImage(mediaId), isSent, 'the first is sent');
    const [before] = await atNetwork();
    await kit.simulate('PUT', '/_sim/media', { forget: true });
    await tenant.untilMessage(await sendImage(mediaId), isSent, 'the second is sent');
    expect((await atNetwork()).map(({ id }) => id)).not.toEqual([before?.id]);
  });

  test('waits while the upload fails for a passing reason, and fails when the media is deleted', async () => {
    await kit.simulate('PUT', '/_sim/failures', { media_upload: { times: 2, code: 131000, status: 500 } });
    const kept = await uploaded();
    await tenant.untilMessage(await sendImage(kept), isSent, 'it is sent after all');
    await kit.simulate('PUT', '/_sim/failures', { media_upload: { times: 1_000, code: 131000, status: 500 } });
    const deleted = await uploaded();
    const id = await sendImage(deleted);
    await tenant.call('DELETE', `/v1/media/${deleted}`);
    const failed = await tenant.untilMessage(id, ({ status }) => status === 'failed', 'it fails');
    expect(failed.delivery.error.code).toBe('media_unavailable');
  });

  test('is refused as another type, of another tenant and when it does not exist', async () => {
    const mediaId = await uploaded();
    const stranger = await makeTestTenant(kit);
    const refusal = async (by: TestTenant, type: string, id: string) => {
      const answer = await by.call('POST', '/v1/messages', { to: freshPhone(), type, media: { media_id: id } });
      return [answer.status, answer.body.code];
    };
    expect(await refusal(tenant, 'video', mediaId)).toEqual([400, 'media_not_sendable']);
    expect(await refusal(stranger, 'image', mediaId)).toEqual([400, 'unknown_media']);
    expect(await refusal(tenant, 'image', '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01')).toEqual([400, 'unknown_media']);
  });
});
