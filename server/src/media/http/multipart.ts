import { Readable } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiProblem, type FaultDetail } from '#core/errors';
import { problemOf } from '#http/validation/faults';

/** What a form may carry besides its one file. */
const MAX_FIELDS = 20;
const MAX_FIELD_BYTES = 1024;
const MAX_NAME_BYTES = 64;
const MAX_HEADER_PAIRS = 20;
/** Boundaries, headers of parts and fields. */
const MAX_OVERHEAD_BYTES = 64 * 1024;
const FILE_FIELD = 'file';

/** The content type of a piece of a tus upload. */
export const PIECE_TYPE = 'application/offset+octet-stream';

/** Makes forms, and pieces of uploads, the only content types of this scope; the handler reads the stream itself. */
export function installMultipart(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('multipart/form-data', (_request, payload, done) => done(null, payload));
  app.addContentTypeParser(PIECE_TYPE, (_request, payload, done) => done(null, payload));
  app.addContentTypeParser('*', (request, _payload, done) => done(request.method === 'PATCH' ? noPiece() : noForm()));
}

function noPiece(): ApiProblem {
  return new ApiProblem('unsupported_media_type', { sentence: `Send the chunk as ${PIECE_TYPE}.` });
}

function noForm(): ApiProblem {
  return new ApiProblem('unsupported_media_type', { sentence: 'Send the body as multipart/form-data.' });
}

/** A form that was read to its end. `file.content` is what `receive` made of the file part. */
export interface Form<T> {
  readonly fields: ReadonlyMap<string, string>;
  readonly file: { readonly content: T; readonly name: string | undefined; readonly declaredType: string };
}

interface FormRules<T> {
  /** Names of fields that are known; any other is a fault. */
  readonly known: readonly string[];
  /** Bytes of the file part. */
  readonly maxFileBytes: number;
  /** Consumes the file part. Called at most once. */
  readonly receive: (file: Readable) => Promise<T>;
  /** Undoes `receive` when the rest of the form turns out not to be valid. */
  readonly undo: (content: T) => Promise<void>;
}

/**
 * Reads a form with one file, which never is in memory as a whole: backpressure goes from `receive` to the socket.
 * @throws ApiProblem validation_failed, invalid_request, payload_too_large; what `receive` throws. Nothing is left then.
 */
export async function readForm<T>(request: FastifyRequest, rules: FormRules<T>): Promise<Form<T>> {
  const reader = new FormReader<T>(request, rules);
  try {
    return await reader.read();
  } catch (error) {
    await reader.undo();
    throw error;
  }
}

interface FilePart<T> {
  readonly content: Promise<T>;
  readonly stream: BusboyFileStream;
  readonly name: string | undefined;
  readonly declaredType: string;
}

class FormReader<T> {
  readonly #request: FastifyRequest;
  readonly #rules: FormRules<T>;
  readonly #fields = new Map<string, string>();
  readonly #faults: FaultDetail[] = [];
  #file: FilePart<T> | null = null;

  constructor(request: FastifyRequest, rules: FormRules<T>) {
    this.#request = request;
    this.#rules = rules;
  }

  async read(): Promise<Form<T>> {
    const source = this.#request.body;
    if (!(source instanceof Readable)) throw problemOf([noFile]);
    if (this.#request.headers['content-type'] === PIECE_TYPE) throw noForm();
    const length = Number(this.#request.headers['content-length'] ?? 0);
    if (length > this.#rules.maxFileBytes + MAX_OVERHEAD_BYTES) throw tooLargeProblem(this.#rules.maxFileBytes);
    await this.#parse(source, this.#parser());
    const file = this.#file && { ...this.#file, content: await this.#file.content };
    if (this.#faults.length > 0) throw problemOf(this.#faults);
    if (file === null) throw problemOf([noFile]);
    const { content, name, declaredType } = file;
    return { fields: this.#fields, file: { content, name, declaredType } };
  }

  /** Ends what the file part has become. */
  async undo(): Promise<void> {
    this.#file?.stream.destroy(new Error('The upload was aborted.'));
    const content = await this.#file?.content.then(
      (value) => ({ value }),
      () => undefined,
    );
    if (content) await this.#rules.undo(content.value);
  }

  /**
   * Reads the stream to its end; a failed `receive` or a file that is too large ends it at once. What is left of the
   * request is then thrown away, not the connection: the caller is still writing and must hear the answer.
   */
  async #parse(source: Readable, parser: BusboyInstance): Promise<void> {
    try {
      await new Promise<void>((resolve, reject) => {
        const broken = (error?: Error): void => reject(brokenForm(error));
        parser.on('finish', resolve).on('error', broken);
        source.on('error', broken).on('close', () => source.readableEnded || broken());
        parser.on('field', (name, value, _nameCut, valueCut) => this.#takeField(name, value, valueCut));
        parser.on('file', (name, stream, filename, _encoding, mimeType) => {
          stream.on('limit', () => reject(tooLargeProblem(this.#rules.maxFileBytes)));
          // Browsers write a quotation mark in a name as %22 (HTML standard, "multipart/form-data").
          this.#takeFile(name, stream, { name: filename?.replaceAll('%22', '"'), declaredType: mimeType });
          this.#file?.content.catch(reject);
        });
        source.pipe(parser);
      });
    } finally {
      source.unpipe(parser);
      source.resume();
    }
  }

  #parser(): BusboyInstance {
    const { headers } = this.#request;
    const limits = {
      files: 2,
      fileSize: this.#rules.maxFileBytes,
      fields: MAX_FIELDS,
      fieldSize: MAX_FIELD_BYTES,
      fieldNameSize: MAX_NAME_BYTES,
      headerPairs: MAX_HEADER_PAIRS,
    };
    try {
      return new Busboy({ headers: { ...headers, 'content-type': headers['content-type'] ?? '' }, limits });
    } catch (error) {
      throw brokenForm(error as Error);
    }
  }

  #takeField(name: string, value: string, cut: boolean): void {
    if (name === FILE_FIELD) this.#fault(FILE_FIELD, 'file must be a file part, with a filename.');
    else if (!this.#rules.known.includes(name)) this.#fault(name, `${name} is not a known field here.`);
    else if (this.#fields.has(name)) this.#fault(name, `${name} is given more than once.`);
    else if (cut) this.#fault(name, `${name} may have at most ${MAX_FIELD_BYTES} bytes.`);
    else this.#fields.set(name, value);
  }

  #takeFile(
    name: string,
    stream: BusboyFileStream,
    facts: { readonly name: string | undefined; readonly declaredType: string },
  ): void {
    // A form that ends too early fails this stream too, maybe before anybody reads it; nobody would then hear the
    // error, and it would end the process. The form is refused by the parser's own error.
    stream.on('error', () => undefined);
    if (name === FILE_FIELD && this.#file === null) {
      this.#file = { content: this.#rules.receive(stream), stream, ...facts };
      // Whoever awaits it hears of a failure; until then it must not end the process.
      this.#file.content.catch(() => undefined);
      return;
    }
    const message = name === FILE_FIELD ? 'file is given more than once.' : `${name} is not a known file here.`;
    this.#fault(name, message);
    stream.resume();
  }

  #fault(name: string, message: string): void {
    this.#faults.push({ path: `body.${name}`, message });
  }
}

const noFile: FaultDetail = {
  path: 'body.file',
  message: 'file is required: a part with the bytes and a filename.',
};

function tooLargeProblem(maxBytes: number): ApiProblem {
  return new ApiProblem('payload_too_large', { sentence: `The file is larger than ${maxBytes} bytes.` });
}

/** The boundary is missing, the body ends too early, or the connection broke. */
function brokenForm(cause?: Error): ApiProblem {
  return new ApiProblem('invalid_request', { sentence: 'The body is not a complete multipart form.', cause });
}
