import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { networkFilename } from '#media/domain/network-filename';
import { type CorpusFile, mediaCorpus, type Stored } from '#testing/media/media-corpus';
import { uploadFile } from '#testing/media/test-media';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';

let kit: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  kit = await startTestService({ random: () => 0 });
  tenant = await makeTestTenant(kit, { ratePerSecond: 0 });
});
afterAll(() => kit.close());

function upload({ bytes, filename, type, field }: CorpusFile) {
  const fields = field === undefined ? {} : { mime_type: field };
  return uploadFile(kit, tenant.key, bytes, { filename, ...(type === undefined ? {} : { type }), fields });
}

const isStored = (expected: CorpusFile['expected']): expected is Stored => 'mimeType' in expected;

describe('P12: files as people upload them', () => {
  test('are many', () => {
    expect(mediaCorpus.length).toBeGreaterThan(60);
    expect(new Set(mediaCorpus.map(({ label }) => label)).size).toBe(mediaCorpus.length);
  });

  test.each(mediaCorpus.map((file) => [file.label, file] as const))('%s', async (_label, file) => {
    const { status, body } = await upload(file);
    const { expected } = file;
    if (isStored(expected)) {
      const { mimeType, as } = expected;
      expect([status, body.mime_type, body.sendable_as]).toEqual([200, mimeType, as === null ? [] : [as]]);
    } else {
      expect([status, body.code, body.details]).toEqual([
        400,
        'validation_failed',
        [expect.objectContaining({ path: expected.path })],
      ]);
    }
  });

  test('are taken by the network as what sendable_as says, under the type that was told', async () => {
    const taken = mediaCorpus.flatMap((file) => (willGo(file.expected) ? [{ file, expected: file.expected }] : []));
    // The last of each type: those are the odder ones.
    const sent = [...new Map(taken.map((one) => [one.expected.mimeType, one])).values()];
    const ids = await Promise.all(
      sent.map(async ({ file, expected: { as } }) => {
        const { media_id } = (await upload(file)).body;
        return tenant.send(freshPhone(), { type: as, body: undefined, media: { media_id } });
      }),
    );
    const ended = ({ status }: { status: string }): boolean => status === 'sent' || status === 'failed';
    const ends = await Promise.all(ids.map((id) => tenant.untilMessage(id, ended, 'the network has judged it')));
    expect(ends.map(({ status }, at) => [sent[at]?.file.label, status])).toEqual(
      sent.map(({ file }) => [file.label, 'sent']),
    );
    const { data } = (await kit.simulate('GET', '/_sim/media')).body;
    for (const { file, expected } of sent) {
      const sha256 = createHash('sha256').update(file.bytes).digest('hex');
      const [bare] = expected.mimeType.split(';');
      const filename = networkFilename(file.filename, expected.mimeType);
      expect(data, file.label).toContainEqual(expect.objectContaining({ sha256, mime_type: bare, filename }));
    }
  });
});

function willGo(expected: CorpusFile['expected']): expected is Stored & { readonly as: string } {
  return isStored(expected) && expected.as !== null && expected.unreported !== true;
}
