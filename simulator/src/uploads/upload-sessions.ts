import { createHash, type Hash, randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import type { TempFolder } from '../temp-folder.ts';

/** How the id of an upload session begins; it is a path, and its signature the query behind it. */
export const UPLOAD_PREFIX = 'upload:';

/** When a session that is not completed ends. */
const LIFETIME_MS = 24 * 3600 * 1000;
const HANDLE_LIFETIME_MS = 24 * 3600 * 1000;

export type NewSession = {
  readonly appId: string;
  readonly fileLength: number;
  readonly fileType: string;
  readonly fileName: string | null;
};

/** Ends the request and resolves when its bytes are kept. */
export type Writer = { readonly end: () => Promise<void> };

/** One file that arrives in as many requests as it takes. */
export type UploadSession = NewSession & {
  /** `upload:…` without the signature. */
  readonly key: string;
  readonly signature: string;
  readonly file: string;
  readonly hash: Hash;
  readonly createdAtMs: number;
  /** Bytes that are kept. */
  offset: number;
  /** One piece per request that carried bytes; the handle is all of them. */
  readonly pieces: string[];
  /** The request that is writing. */
  writer: Writer | null;
};

/** The file that a handle names. */
export type UploadedFile = { readonly fileType: string; readonly session: UploadSession };

/** All sessions of the resumable upload, and the handles that came of them. */
export class UploadSessions {
  readonly #folder: TempFolder;
  readonly #sessions = new Map<string, UploadSession>();
  readonly #handles = new Map<string, { readonly file: UploadedFile; readonly expiresAtMs: number }>();

  constructor(folder: TempFolder) {
    this.#folder = folder;
  }

  create(wish: NewSession, nowMs: number): UploadSession {
    const session: UploadSession = {
      ...wish,
      key: `${UPLOAD_PREFIX}${randomBytes(33).toString('base64url')}`,
      signature: `AR${randomBytes(18).toString('base64url')}`,
      file: this.#folder.newFile(),
      hash: createHash('sha256'),
      createdAtMs: nowMs,
      offset: 0,
      pieces: [],
      writer: null,
    };
    this.#sessions.set(session.key, session);
    return session;
  }

  /** Null for an unknown key, a wrong signature or a session that is over. */
  find(key: string, signature: string | null, nowMs: number): UploadSession | null {
    const session = this.#sessions.get(key);
    if (session === undefined || session.signature !== signature) return null;
    return nowMs - session.createdAtMs < LIFETIME_MS ? session : null;
  }

  /** Records that a request carried bytes; the handle when the file is complete, otherwise null. */
  finishRequest(session: UploadSession, nowMs: number): string | null {
    const expiresAtMs = nowMs + HANDLE_LIFETIME_MS;
    const random = (): string => `AR${randomBytes(24).toString('base64url')}`;
    const type = Buffer.from(session.fileType).toString('base64');
    session.pieces.push(
      `4::${type}:${random()}:e:${Math.floor(expiresAtMs / 1000)}:${session.appId}:122000:${random()}`,
    );
    if (session.offset < session.fileLength) return null;
    const handle = session.pieces.join('\n');
    this.#handles.set(handle, { file: { fileType: session.fileType, session }, expiresAtMs });
    return handle;
  }

  /** The file of a handle, or null when there is none or its time is over. */
  fileOf(handle: string, nowMs: number): UploadedFile | null {
    const found = this.#handles.get(handle);
    return found === undefined || nowMs >= found.expiresAtMs ? null : found.file;
  }

  list(): readonly UploadSession[] {
    return [...this.#sessions.values()];
  }

  reset(): void {
    for (const session of this.#sessions.values()) rmSync(session.file, { force: true });
    this.#sessions.clear();
    this.#handles.clear();
  }
}

/** The id that callers use verbatim as path and query. */
export function sessionId(session: UploadSession): string {
  return `${session.key}?sig=${session.signature}`;
}
