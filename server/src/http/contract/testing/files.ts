import { randomBytes } from 'node:crypto';

const JPEG = 'ffd8ffe000104a46494600010100000100010000';

/** A file whose bytes begin like those of its kind (hex), and are different each time. */
export function fileOf(name: string, beginning: string, type: string, size = 2_000): File {
  const head = Buffer.from(beginning, 'hex');
  return new File([new Uint8Array(Buffer.concat([head, randomBytes(Math.max(0, size - head.length))]))], name, {
    type,
  });
}

/** A picture of so many bytes. */
export function picture(size?: number): File {
  return fileOf('parcel.jpg', JPEG, 'image/jpeg', size);
}
