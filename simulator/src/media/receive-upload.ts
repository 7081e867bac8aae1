/** `POST /{version}/{phone_number_id}/media`: a file arrives as multipart/form-data and gets an id. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, rmSync, type WriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import { Refusal, refuseWith, requireStep, requireToken, respond, type StreamCall } from '../graph/call.ts';
import { unknownObject } from '../graph/errors.ts';
import type { BusinessNumber } from '../numbers.ts';
import { isMediaType } from '../send/payloads/media.ts';
import type { Simulation } from '../simulation.ts';
import type { StoredBytes } from './media-store.ts';
import { bareType, fileKindOf, HEAD_BYTES, knownMimeTypes, MAX_MEDIA_BYTES, maxBytesOf } from './media-types.ts';
import { boundaryOf, MultipartError, MultipartReader, type PartHead } from './multipart.ts';

const MAX_FIELD_BYTES = 4096;

/** Takes the upload; a refused one leaves nothing behind. */
export function handleUpload(sim: Simulation, call: StreamCall): Promise<void> {
  return respond(sim, call, async () => {
    const upload = new Upload(sim.folder.newFile(), new URLSearchParams(call.path.query));
    try {
      const number = checkCaller(sim, call);
      await upload.read(call.request);
      return { id: keep(sim, number, upload) };
    } finally {
      // A client that gets the answer too early would find its connection broken: what it still sends is read and
      // dropped.
      call.request.resume();
      upload.discard();
    }
  });
}

function checkCaller(sim: Simulation, call: StreamCall): BusinessNumber {
  requireToken(sim, call);
  const number = sim.numbers.find(call.path.objectId, sim.settings.strictNumbers);
  if (number === null) throw new Refusal(unknownObject('post', call.path.objectId));
  requireStep(sim, 'media_upload');
  return number;
}

function keep(sim: Simulation, number: BusinessNumber, upload: Upload): string {
  if (upload.field('messaging_product') !== 'whatsapp') {
    refuseWith(100, "Param messaging_product is required and must be 'whatsapp'.");
  }
  const { file, stored } = upload;
  if (file === null || stored === null) return refuseWith(100, 'The parameter file is required.');
  const declared = declaredType(upload.field('type'), file);
  checkFile(declared, upload.head, stored.bytes, sim.settings.sniffMedia);
  const owner = { phoneNumberId: number.phoneNumberId, wabaId: number.wabaId };
  const media = { ...owner, origin: 'upload' as const, mimeType: bareType(declared), fileName: file.fileName };
  return sim.media.add(media, stored, sim.clock.now()).id;
}

/** Of the file's part, unless `type` is one: a kind of message, such as `image`, does not say what the file is. */
function declaredType(type: string | undefined, file: PartHead): string {
  return type === undefined || isMediaType(type) ? (file.contentType ?? '') : type;
}

function checkFile(declared: string, head: Buffer, bytes: number, sniff: boolean): void {
  const kind = fileKindOf(declared);
  if (kind === null) {
    refuseWith(
      131053,
      `Param file must be a file with one of the following types: ${knownMimeTypes().join(', ')}. Received file of type '${declared}'.`,
    );
  }
  if (bytes === 0) refuseWith(131053, 'The uploaded file is empty.');
  const max = maxBytesOf(kind, head);
  if (bytes > max) refuseWith(131053, `The file is larger than the ${max} bytes that ${declared} may have.`);
  if (sniff && !kind.looksRight(head)) {
    refuseWith(131053, `The content of the file does not match its type '${declared}'.`);
  }
}

/** The parts of one upload; the file is written to disk as it arrives. */
class Upload {
  readonly #path: string;
  readonly #hash = createHash('sha256');
  readonly #fields: Map<string, string>;
  #part: PartHead | null = null;
  #stream: WriteStream | null = null;
  #bytes = 0;
  #kept = false;
  head: Buffer = Buffer.alloc(0);
  file: PartHead | null = null;
  stored: StoredBytes | null = null;

  /** @param query of the address: the network takes fields from it too */
  constructor(path: string, query: URLSearchParams) {
    this.#path = path;
    this.#fields = new Map(query);
  }

  field(name: string): string | undefined {
    return this.#fields.get(name);
  }

  async read(request: IncomingMessage): Promise<void> {
    const boundary = boundaryOf(request.headers['content-type']);
    if (boundary === null) refuseWith(100, 'The body must be multipart/form-data with a boundary.');
    const reader = new MultipartReader(boundary, {
      onPart: (head) => this.#begin(head),
      onData: (chunk) => this.#take(chunk),
    });
    // Ending the loop early must not end the connection: the refusal still has to be answered.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      feed(reader, chunk as Buffer);
      // The disk sets the pace: otherwise a fast sender's file would pile up in memory.
      if (this.#stream?.writableNeedDrain === true) await once(this.#stream, 'drain');
    }
    if (!reader.complete) refuseWith(100, 'The multipart body ends before its closing boundary.');
    if (this.#stream === null) return;
    this.#stream.end();
    await finished(this.#stream);
    this.#kept = true;
    this.stored = { file: this.#path, bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  /** Removes what no one took over. */
  discard(): void {
    if (this.#stream === null) return;
    if (!this.#kept) this.#stream.destroy();
    rmSync(this.#path, { force: true });
  }

  #begin(head: PartHead): void {
    this.#part = head;
    if (head.name !== 'file') {
      this.#fields.set(head.name, '');
      return;
    }
    if (this.file !== null) refuseWith(100, 'Only one file can be uploaded at a time.');
    this.file = head;
    this.#stream = createWriteStream(this.#path);
    // A write that fails is reported by finished(), which is awaited below.
    this.#stream.on('error', () => {});
  }

  #take(chunk: Buffer): void {
    if (this.#part === null) return;
    if (this.#part.name !== 'file') {
      const value = `${this.#fields.get(this.#part.name) ?? ''}${chunk.toString('utf8')}`;
      if (value.length > MAX_FIELD_BYTES) refuseWith(100, `The parameter ${this.#part.name} is too long.`);
      this.#fields.set(this.#part.name, value);
      return;
    }
    this.#bytes += chunk.length;
    if (this.#bytes > MAX_MEDIA_BYTES) refuseWith(131053, `The file is larger than ${MAX_MEDIA_BYTES} bytes.`);
    if (this.head.length < HEAD_BYTES) this.head = Buffer.concat([this.head, chunk.subarray(0, HEAD_BYTES)]);
    this.#hash.update(chunk);
    this.#stream?.write(chunk);
  }
}

function feed(reader: MultipartReader, chunk: Buffer): void {
  try {
    reader.feed(chunk);
  } catch (error) {
    if (error instanceof MultipartError) refuseWith(100, error.message);
    throw error;
  }
}
