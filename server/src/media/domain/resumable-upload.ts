import type { MediaId, TenantId, UploadId } from '#core/ids';
import { baseMimeType } from './media.ts';

export interface UploadFault {
  readonly code: string;
  readonly message: string;
}

/** An upload that yields a handle of the network. */
export interface ResumableUpload {
  readonly tenantId: TenantId;
  readonly uploadId: UploadId;
  /** Bytes in all. */
  readonly size: number;
  readonly filename: string | null;
  /** As declared. */
  readonly mimeType: string | null;
  /** What a tus client said about it, given back as it was. */
  readonly metadata: Readonly<Record<string, string | null>> | null;
  readonly status: 'uploading' | 'processing' | 'ready' | 'failed';
  /** Once all bytes are here. */
  readonly mediaId: MediaId | null;
  /** The network's session, once it has one. */
  readonly session: string | null;
  readonly handle: string | null;
  readonly error: UploadFault | null;
  /** Transfers to the network begun so far. */
  readonly attempts: number;
  readonly createdMs: number;
}

/** An unfinished upload is given up after this; the network's own sessions live as long. */
export const UNFINISHED_LIFETIME_MS = 24 * 60 * 60 * 1000;

const HANDLE_TYPES: readonly string[] = ['application/pdf', 'image/jpeg', 'image/jpg', 'image/png', 'video/mp4'];

/** Whether the network gives handles for this type ("file_type" of its resumable upload). */
export function yieldsHandle(mimeType: string): boolean {
  return HANDLE_TYPES.includes(baseMimeType(mimeType));
}

/** Why a file of this type gets no handle. */
export function noHandleFor(mimeType: string): string {
  return `The network issues handles only for PDF, JPEG, PNG and MP4, not for ${mimeType}.`;
}
