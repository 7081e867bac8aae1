import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type BlobStore, checkKey, type StagedBlob } from './blob-store.ts';
import { S3Client, type S3Settings } from './s3-client.ts';
import { type StagedFile, StagingFolder } from './staging-folder.ts';

/**
 * Blobs as objects of an S3-compatible bucket, addressed by path (`<endpoint>/<bucket>/<prefix><key>`), which every
 * implementation supports. A PUT is atomic there: a key names either the whole content or nothing.
 */
export function makeS3Store(settings: S3Settings & { readonly stagingFolder: string }): BlobStore {
  const client = new S3Client(settings);
  const staging = new StagingFolder(join(settings.stagingFolder, 'staging'));
  return {
    receive: async (source, maxBytes) => stagedBlob(await staging.receive(source, maxBytes), client),
    open: async (key, range) => client.get(checkKey(key), range),
    size: async (key) => client.size(checkKey(key)),
    remove: async (key) => client.remove(checkKey(key)),
    sweep: (idleMs) => staging.sweep(idleMs),
    close: () => client.close(),
  };
}

function stagedBlob({ path, ...facts }: StagedFile, client: S3Client): StagedBlob {
  const discard = (): Promise<void> => rm(path, { force: true }).catch(() => undefined);
  return {
    ...facts,
    keep: async (key) => {
      if ((await client.size(checkKey(key))) !== facts.size) await client.put(key, path, facts);
      await discard();
    },
    discard,
  };
}
