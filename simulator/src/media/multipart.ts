/** Reads multipart/form-data as it arrives, so that a large file is never in memory as a whole. */

export type PartHead = {
  readonly name: string;
  readonly fileName: string | null;
  readonly contentType: string | null;
};

export type PartHandler = {
  readonly onPart: (head: PartHead) => void;
  readonly onData: (chunk: Buffer) => void;
};

/** A body that is not multipart; the message says why. */
export class MultipartError extends Error {}

const MAX_HEAD_BYTES = 16 * 1024;
const HEAD_END = Buffer.from('\r\n\r\n');
// "boundary := 0*69<bchars> bcharsnospace"
const BOUNDARY = /^multipart\/form-data\s*;.*?\bboundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;

/** The boundary that a Content-Type names, or null when it is not multipart/form-data. */
export function boundaryOf(contentType: string | undefined): string | null {
  const found = BOUNDARY.exec(contentType ?? '');
  return found?.[1] ?? found?.[2] ?? null;
}

/** Feed it the body chunk by chunk; it reports each part's head and its bytes. */
export class MultipartReader {
  readonly #delimiter: Buffer;
  readonly #handler: PartHandler;
  // The first boundary is at the very beginning, without the line break that precedes all others.
  #rest: Buffer = Buffer.from('\r\n');
  #state: 'preamble' | 'boundary' | 'head' | 'data' | 'end' = 'preamble';

  constructor(boundary: string, handler: PartHandler) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
    this.#handler = handler;
  }

  /** True when the closing boundary was seen. */
  get complete(): boolean {
    return this.#state === 'end';
  }

  /** Throws a MultipartError when the bytes cannot be a multipart body. */
  feed(chunk: Buffer): void {
    if (this.#state === 'end') return;
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    while (this.#step());
  }

  /** Consumes one element; false when more bytes are needed. */
  #step(): boolean {
    switch (this.#state) {
      case 'preamble':
      case 'data':
        return this.#readData();
      case 'boundary':
        return this.#readBoundary();
      case 'head':
        return this.#readHead();
      case 'end':
        return false;
    }
  }

  #readData(): boolean {
    const found = this.#rest.indexOf(this.#delimiter);
    // Without a boundary in sight its beginning may still be the last bytes.
    const sure = found >= 0 ? found : Math.max(0, this.#rest.length - this.#delimiter.length + 1);
    if (sure > 0 && this.#state === 'data') this.#handler.onData(this.#rest.subarray(0, sure));
    this.#rest = this.#rest.subarray(sure);
    if (found >= 0) this.#state = 'boundary';
    return found >= 0;
  }

  #readBoundary(): boolean {
    const length = this.#delimiter.length;
    if (this.#rest.length < length + 2) return false;
    const follows = this.#rest.toString('latin1', length, length + 2);
    if (follows !== '--' && follows !== '\r\n') throw new MultipartError('A boundary is not followed by a line break.');
    this.#state = follows === '--' ? 'end' : 'head';
    this.#rest = this.#rest.subarray(length + 2);
    return true;
  }

  #readHead(): boolean {
    const end = this.#rest.indexOf(HEAD_END);
    if (end < 0 && this.#rest.length > MAX_HEAD_BYTES) throw new MultipartError("A part's headers are too long.");
    if (end < 0) return false;
    this.#handler.onPart(parseHead(this.#rest.toString('utf8', 0, end)));
    this.#rest = this.#rest.subarray(end + HEAD_END.length);
    this.#state = 'data';
    return true;
  }
}

function parseHead(text: string): PartHead {
  const lines = text.split('\r\n').map((line) => line.split(/:\s*(.*)/s, 2));
  const header = (name: string): string => lines.find(([key]) => key?.toLowerCase() === name)?.[1] ?? '';
  const disposition = header('content-disposition');
  const name = parameterOf(disposition, 'name');
  if (name === null) throw new MultipartError('A part has no name.');
  return { name, fileName: parameterOf(disposition, 'filename'), contentType: header('content-type') || null };
}

/** `name="…"`; forms write a quotation mark in a value as %22, other senders as \". */
function parameterOf(header: string, parameter: string): string | null {
  const found = new RegExp(`;\\s*${parameter}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s]+))`, 'i').exec(header);
  const value = found?.[1] ?? found?.[2];
  return value === undefined ? null : value.replace(/\\(.)/g, '$1').replaceAll('%22', '"');
}
