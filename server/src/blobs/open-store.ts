import { join } from 'node:path';
import { type Config, ConfigError } from '#runtime/config';
import { makeNameLookup } from '#runtime/name-lookup';
import type { BlobStore } from './blob-store.ts';
import { makeDiskStore } from './disk-store.ts';
import { makePartialStore, type PartialStore } from './partial-store.ts';
import { makeS3Store } from './s3-store.ts';

/**
 * The store that the settings name.
 * @throws ConfigError when the settings of the bucket are not complete
 */
export function openBlobStore(config: Config): BlobStore {
  const folder = join(config.dataDir, 'media');
  if (config.mediaStore === 'disk') return makeDiskStore(folder);
  const { s3Endpoint, s3Bucket, s3AccessKeyId, s3SecretAccessKey } = config;
  if ([s3Endpoint, s3Bucket, s3AccessKeyId, s3SecretAccessKey].includes('')) {
    throw new ConfigError(
      'MESSAGING_MEDIA_STORE=s3 needs MESSAGING_S3_ENDPOINT, MESSAGING_S3_BUCKET, MESSAGING_S3_ACCESS_KEY_ID and MESSAGING_S3_SECRET_ACCESS_KEY.',
    );
  }
  if (!URL.canParse(s3Endpoint)) throw new ConfigError(`MESSAGING_S3_ENDPOINT=${s3Endpoint}: must be an address.`);
  return makeS3Store({
    endpoint: s3Endpoint,
    region: config.s3Region,
    bucket: s3Bucket,
    accessKeyId: s3AccessKeyId,
    secretAccessKey: s3SecretAccessKey,
    lookup: makeNameLookup(config),
    prefix: config.s3Prefix,
    stagingFolder: folder,
  });
}

/** Where uploads grow that come in pieces: always a folder, because a bucket cannot append. */
export function openPartialStore(config: Config): PartialStore {
  return makePartialStore(join(config.dataDir, 'media', 'partial'));
}
