import type { Readable } from 'node:stream';
import { DataStore, ERRORS, Upload } from '@tus/server';
import { DigestMismatch, type PieceDigest } from '#blobs/partial-store';
import type { TenantId, UploadId } from '#core/ids';
import type { HttpDeps } from '#http/deps';
import { beginUpload, findLiveUpload } from '#media/actions/resumable-uploads';
import { isMimeType, safeFilename } from '#media/domain/media';
import { UNFINISHED_LIFETIME_MS } from '#media/domain/resumable-upload';
import { deleteUpload } from '#media/store/resumable-uploads';
import { bytesHere } from './complete-upload.ts';

/** Extensions of tus 1.0 that are served. */
export const TUS_EXTENSIONS = ['creation', 'creation-with-upload', 'termination', 'expiration', 'checksum'] as const;

interface StoreDeps {
  readonly context: HttpDeps;
  readonly tenantId: TenantId;
  /** Upload-Checksum of this request. */
  readonly digest: PieceDigest | null;
}

/** What the tus server stores uploads in, for one request of one tenant: another tenant's upload does not exist. */
export class UploadStore extends DataStore {
  readonly #parts: StoreDeps;

  constructor(parts: StoreDeps) {
    super();
    this.#parts = parts;
    this.extensions = [...TUS_EXTENSIONS];
  }

  override async create(upload: Upload): Promise<Upload> {
    const { context, tenantId } = this.#parts;
    const { filename, name, filetype, type, mime_type: mimeType } = upload.metadata ?? {};
    const declared = filetype ?? type ?? mimeType ?? '';
    await context.partials.create(upload.id);
    await beginUpload(context.rt, context.db, {
      tenantId,
      uploadId: upload.id as UploadId,
      size: upload.size ?? 0,
      filename: safeFilename(filename ?? name ?? undefined),
      mimeType: isMimeType(declared) ? declared : null,
      metadata: upload.metadata ?? null,
    }).catch(async (error: unknown) => {
      await context.partials.remove(upload.id);
      throw error;
    });
    upload.creation_date = new Date(context.rt.clock.now()).toISOString();
    return upload;
  }

  override async getUpload(id: string): Promise<Upload> {
    const { context, tenantId } = this.#parts;
    const found = await findLiveUpload(context.rt, context.db, tenantId, id);
    if (found === null) throw ERRORS.FILE_NOT_FOUND;
    return new Upload({
      id,
      size: found.size,
      offset: await bytesHere(context, found),
      creation_date: new Date(found.createdMs).toISOString(),
      ...(found.metadata === null ? {} : { metadata: found.metadata }),
    });
  }

  override async write(source: Readable, id: string): Promise<number> {
    try {
      return await this.#parts.context.partials.append(id, source, this.#parts.digest);
    } catch (error) {
      if (error instanceof DigestMismatch) throw CHECKSUM_MISMATCH;
      throw error;
    }
  }

  override async remove(id: string): Promise<void> {
    const { context, tenantId } = this.#parts;
    const found = await findLiveUpload(context.rt, context.db, tenantId, id);
    if (found === null) throw ERRORS.FILE_NOT_FOUND;
    await deleteUpload(context.db, found);
    await context.partials.remove(id);
  }

  override getExpiration(): number {
    return UNFINISHED_LIFETIME_MS;
  }
}

/** "If the checksums do not match, the Server MUST discard the chunk and respond with 460 Checksum Mismatch". */
const CHECKSUM_MISMATCH = { status_code: 460, body: 'Checksum Mismatch' };
