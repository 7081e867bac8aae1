import { rm } from 'node:fs/promises';
import { type Archive, ArchiveUnavailable, checkName } from './archive.ts';
import { BlobStoreUnavailable } from './blob-store.ts';
import { S3Client, type S3Settings } from './s3-client.ts';
import { StagingFolder } from './staging-folder.ts';

/** What one PUT takes: 5 GiB in S3 and its likes. */
const MAX_FILE_BYTES = 5 * 1024 ** 3;
/** A file that waits longer than this was left by a process that was killed. */
const STAGED_MS = 24 * 60 * 60 * 1000;

/**
 * Objects of an S3-compatible bucket. Length and hash of an object must be known before it is sent on, so a file waits in a local
 * folder until it is whole.
 */
export function makeS3Archive({
  stagingFolder,
  ...settings
}: S3Settings & { readonly stagingFolder: string }): Archive {
  const client = new S3Client(settings);
  const staging = new StagingFolder(stagingFolder);
  let isSwept = false;
  const location = `s3://${settings.bucket}/${settings.prefix}`;
  const failed = (error: unknown): never => {
    throw error instanceof BlobStoreUnavailable ? new ArchiveUnavailable(location, error) : error;
  };
  return {
    location,
    write: async (name, source) => {
      checkName(name);
      if (!isSwept) await staging.sweep(STAGED_MS);
      isSwept = true;
      const { path, ...facts } = await staging.receive(source, MAX_FILE_BYTES).catch(failed);
      try {
        await client.put(name, path, facts).catch(failed);
      } finally {
        await rm(path, { force: true }).catch(() => undefined);
      }
    },
    read: async (name) => client.get(checkName(name), undefined).catch(failed),
    size: async (name) => client.size(checkName(name)).catch(failed),
    folders: async () => {
      const names = await client.list('', 'children').catch(failed);
      return names.filter((name) => name.endsWith('/')).map((name) => name.slice(0, -1));
    },
    list: async (folder) => client.list(`${checkName(folder)}/`, 'all').catch(failed),
    remove: async (name) => client.remove(checkName(name)).catch(failed),
    close: () => client.close(),
  };
}
