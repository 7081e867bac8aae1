import { createRequire } from 'node:module';

/** A real S3-compatible server on a free port. It checks the access key, not the signature (version 4). */
export interface TestS3 {
  readonly endpoint: string;
  readonly bucket: string;
  close(): Promise<void>;
}

/** The one access key, and the one secret, that s3rver knows. */
export const S3_KEY = 'S3RVER';

/** The part of s3rver that is used here; it ships no types. */
type S3Constructor = new (options: object) => { run(): Promise<{ readonly port: number }>; close(): Promise<void> };

/** @param folder where it keeps its objects */
export async function startS3(folder: string): Promise<TestS3> {
  const S3rver = createRequire(import.meta.url)('s3rver') as S3Constructor;
  const bucket = 'media-test';
  const buckets = [{ name: bucket, configs: [] }];
  const s3 = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory: folder, configureBuckets: buckets });
  const { port } = await s3.run();
  return { endpoint: `http://127.0.0.1:${port}`, bucket, close: () => s3.close() };
}
