import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keepReplyFiles } from '#conversations/actions/keep-reply-files';
import { removeExpiredMedia } from '#media/actions/clean-up-media';
import { jpegBytes, uploadFile } from '#testing/media/test-media';
import { addAgent, addTeam } from '#testing/test-agents';
import { startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';

const DAY_MS = 24 * 60 * 60 * 1_000;
let kit: TestService;
let tenant: TestTenant;
let stranger: TestTenant;

beforeAll(async () => {
  kit = await startTestService();
  tenant = await makeTestTenant(kit);
  stranger = await makeTestTenant(kit);
});
afterAll(() => kit.close());

const PATH = '/v1/canned-replies';
const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n');
let made = 0;
const create = (fields: object) => {
  made += 1;
  return tenant.call('POST', PATH, { shortcut: `reply-${made}`, text: 'Hello', ...fields });
};

async function upload(bytes: Uint8Array, filename: string, by = tenant): Promise<string> {
  return (await uploadFile(kit, by.key, bytes, { filename })).body.media_id;
}

describe('files of a canned reply', () => {
  test('follow its text as messages, in their order', async () => {
    const [image, document] = [await upload(jpegBytes(), 'shop.jpg'), await upload(PDF, 'terms.pdf')];
    const reply = (await create({ media_ids: [document, image.toUpperCase()] })).body;
    expect(reply.media_ids).toEqual([document, image]);
    const { messages, missing_media_ids } = (await tenant.call('POST', `${PATH}/${reply.id}/fill`, {})).body;
    expect(missing_media_ids).toEqual([]);
    expect(messages).toEqual([
      { type: 'text', body: 'Hello', canned_reply_id: reply.id },
      { type: 'document', media: { media_id: document, filename: 'terms.pdf' } },
      { type: 'image', media: { media_id: image } },
    ]);
  });

  test('are files of the tenant that can be sent, or nothing changes', async () => {
    const theirs = await upload(jpegBytes(), 'theirs.jpg', stranger);
    const unsendable = await upload(Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00;'), 'dance.gif');
    const { id } = (await create({})).body;
    for (const mediaId of [theirs, id, unsendable]) {
      const refused = await tenant.call('PATCH', `${PATH}/${id}`, { text: 'Changed', media_ids: [mediaId] });
      expect([refused.status, refused.body.details[0].path]).toEqual([400, 'body.media_ids[0]']);
    }
    expect((await tenant.call('GET', `${PATH}/${id}`)).body).toMatchObject({ text: 'Hello', version: 1 });
  });

  test('that were deleted are named, and the others are sent', async () => {
    const [gone, kept] = [await upload(jpegBytes(), 'old.jpg'), await upload(jpegBytes(), 'new.jpg')];
    const { id } = (await create({ media_ids: [gone, kept] })).body;
    expect((await tenant.call('DELETE', `/v1/media/${gone}`)).status).toBe(200);
    const { messages, missing_media_ids } = (await tenant.call('POST', `${PATH}/${id}/fill`, {})).body;
    expect(missing_media_ids).toEqual([gone]);
    expect(messages.slice(1)).toEqual([{ type: 'image', media: { media_id: kept } }]);
  });

  test('do not expire while a canned reply has them', async () => {
    const [used, unused] = [await upload(jpegBytes(), 'used.jpg'), await upload(jpegBytes(), 'unused.jpg')];
    await create({ media_ids: [used] });
    const { db } = kit.service;
    // Each round of housekeeping, over four times the retention.
    for (let day = 0; day < 4 * kit.rt.config.mediaRetentionDays; day += 30) {
      const rt = { ...kit.rt, clock: { ...kit.rt.clock, now: () => kit.rt.clock.now() + day * DAY_MS } };
      await keepReplyFiles(rt, db);
      await removeExpiredMedia(rt, db);
    }
    expect((await tenant.call('GET', `/v1/media/${used}`)).status).toBe(200);
    expect((await tenant.call('GET', `/v1/media/${unused}`)).status).toBe(404);
  });
});

describe('teams of a canned reply', () => {
  test('see it, and so do those who manage canned replies; other agents do not', async () => {
    const { rt, service } = kit;
    const { tenantId } = tenant;
    const [member, outsider] = [await addAgent(rt, service.db, tenantId), await addAgent(rt, service.db, tenantId)];
    const admin = await addAgent(rt, service.db, tenantId, { role: 'admin' });
    const { teamId } = await addTeam(rt, service.db, tenantId, { members: [member] });
    const { id } = (await create({ shortcut: 'billing', team_ids: [teamId] })).body;
    const seen = async (agentId?: string) => {
      const as = agentId === undefined ? {} : { 'x-agent-id': agentId };
      const { data } = (await tenant.call('GET', `${PATH}?prefix=billing`, undefined, as)).body;
      const one = await tenant.call('GET', `${PATH}/${id}`, undefined, as);
      const filled = await tenant.call('POST', `${PATH}/${id}/fill`, {}, as);
      return [data.length, one.status, filled.status];
    };
    for (const agentId of [member.agentId, admin.agentId, undefined])
      expect(await seen(agentId)).toEqual([1, 200, 200]);
    expect(await seen(outsider.agentId)).toEqual([0, 404, 404]);
    await tenant.call('PATCH', `${PATH}/${id}`, { team_ids: [] });
    expect(await seen(outsider.agentId)).toEqual([1, 200, 200]);
  });

  test('are teams of the tenant', async () => {
    const { teamId } = await addTeam(kit.rt, kit.service.db, stranger.tenantId);
    const refused = await create({ team_ids: [teamId] });
    expect([refused.status, refused.body.details[0].message]).toEqual([
      400,
      'team_ids[0] does not name a team of this tenant.',
    ]);
  });
});
