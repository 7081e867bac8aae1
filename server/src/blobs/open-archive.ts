import { join, resolve } from 'node:path';
import { type Config, ConfigError } from '#runtime/config';
import { makeNameLookup } from '#runtime/name-lookup';
import type { Archive } from './archive.ts';
import { makeDiskArchive } from './disk-archive.ts';
import { makeS3Archive } from './s3-archive.ts';

const S3_LOCATION = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/;

/**
 * Opens `s3://bucket/prefix`, with the server and the keys of the settings MESSAGING_S3_*, or a folder.
 * @throws ConfigError when the location cannot be understood, or the settings of the server are not complete
 */
export function openArchive(config: Config, location: string): Archive {
  if (!/^[a-z0-9+]+:\/\//i.test(location)) return makeDiskArchive(resolve(location));
  const [, bucket, prefix = ''] = S3_LOCATION.exec(location) ?? [];
  if (bucket === undefined) throw new ConfigError(`${location} is neither a folder nor like s3://bucket/prefix.`);
  const { s3Endpoint, s3AccessKeyId, s3SecretAccessKey } = config;
  if ([s3Endpoint, s3AccessKeyId, s3SecretAccessKey].includes(''))
    throw new ConfigError(
      `${location} needs MESSAGING_S3_ENDPOINT, MESSAGING_S3_ACCESS_KEY_ID and MESSAGING_S3_SECRET_ACCESS_KEY.`,
    );
  if (!URL.canParse(s3Endpoint)) throw new ConfigError(`MESSAGING_S3_ENDPOINT=${s3Endpoint}: must be an address.`);
  const trimmed = prefix.replace(/\/+$/, '');
  return makeS3Archive({
    endpoint: s3Endpoint,
    region: config.s3Region,
    bucket,
    accessKeyId: s3AccessKeyId,
    secretAccessKey: s3SecretAccessKey,
    lookup: makeNameLookup(config),
    prefix: trimmed === '' ? '' : `${trimmed}/`,
    stagingFolder: join(config.dataDir, 'backup-staging'),
  });
}
