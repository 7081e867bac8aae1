import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Duplex } from 'node:stream';
import { Worker } from 'node:worker_threads';

const WORKER = new URL('./embedded-worker.js', import.meta.url);
/** A cached plan that was made on empty tables walks the whole backlog later: same reason as on PostgreSQL. */
const SESSION: readonly string[] = ['set plan_cache_mode = force_custom_plan', 'set jit = off'];
const ENDED = 'The connection to the embedded database ended.';
/** A start that failed is not tried again sooner: statements that wait must not keep a core busy with starts. */
const RESTART_REST_MS = 1_000;

/** What Node has and its types do not name. */
declare namespace WebAssembly {
  type Module = object;
  function compile(bytes: Uint8Array): Promise<Module>;
}

/** What a thread is started with. */
export interface ThreadData {
  /** Null: in memory. */
  readonly folder: string | null;
  readonly program: WebAssembly.Module;
}

/** Starts the thread. Tests hand in one that they can end. */
export type SpawnWorker = (data: ThreadData) => Worker;

/** The thread as the service starts it. */
export function spawnWorker(data: ThreadData): Worker {
  return new Worker(WORKER, { workerData: { ...data, session: SESSION } });
}

let program: Promise<WebAssembly.Module> | null = null;

/**
 * PostgreSQL as WebAssembly. A process keeps it, with the machine code that it has become while it ran: a thread that
 * follows another does not compile it anew.
 */
function compiledProgram(): Promise<WebAssembly.Module> {
  const folder = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'));
  program ??= readFile(join(folder, 'pglite.wasm')).then((bytes) => WebAssembly.compile(bytes));
  return program;
}

/**
 * PGlite, real PostgreSQL compiled to WebAssembly, in a thread of its own: a statement then costs this thread no more
 * than on a server elsewhere, and the second core has something to do. It is spoken to in PostgreSQL's protocol, so
 * that the same driver with the same prepared statements serves both databases.
 *
 * It has one session: there is one connection at a time. When the thread ends by itself the connection breaks, and the
 * next one starts it again on the same folder, which recovers as a server does after a crash.
 */
export class EmbeddedEngine {
  readonly #folder: string | null;
  readonly #spawn: SpawnWorker;
  #worker: Worker | null = null;
  #line: Duplex | null = null;
  /** Why the last start failed, while the next one has to wait. */
  #refusal: Error | null = null;

  private constructor(folder: string | null, spawn: SpawnWorker) {
    this.#folder = folder;
    this.#spawn = spawn;
  }

  /** @param folder made when missing; null: in memory. @throws Error when the folder is not a database */
  static async start(folder: string | null, spawn: SpawnWorker = spawnWorker): Promise<EmbeddedEngine> {
    const engine = new EmbeddedEngine(folder, spawn);
    await engine.#start();
    return engine;
  }

  /** The connection, as a stream that `pg` takes for a socket. */
  connect(): Duplex {
    const line = new Duplex({
      read: () => undefined,
      write: (chunk: Buffer, _encoding, done) => done(this.#post(chunk)),
      // The messages of a statement leave together: one turn of the engine instead of five.
      writev: (chunks, done) => done(this.#post(Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer)))),
      // Who hangs up is hung up on, as by a socket: the driver waits for it.
      final: (done) => {
        line.push(null);
        done();
      },
    });
    this.#line = line;
    const connect = (): Duplex => {
      const ready = this.#worker === null ? this.#startAgain() : Promise.resolve();
      ready.then(
        () => line.emit('connect'),
        (error: Error) => line.destroy(error),
      );
      return line;
    };
    const nothing = (): Duplex => line;
    return Object.assign(line, { connect, setNoDelay: nothing, setKeepAlive: nothing, ref: nothing, unref: nothing });
  }

  /** Ends the database in order; resolves when its files are closed. */
  async close(): Promise<void> {
    const worker = this.#worker;
    if (worker === null) return;
    worker.postMessage(null);
    await once(worker, 'exit');
  }

  async #startAgain(): Promise<void> {
    if (this.#refusal !== null) throw this.#refusal;
    try {
      await this.#start();
    } catch (error) {
      this.#refusal = new Error(`${ENDED} It cannot be started again: ${(error as Error).message}`);
      setTimeout(() => {
        this.#refusal = null;
      }, RESTART_REST_MS).unref();
      throw this.#refusal;
    }
  }

  async #start(): Promise<void> {
    const worker = this.#spawn({ folder: this.#folder, program: await compiledProgram() });
    const ended = new Promise<never>((_, reject) => worker.once('exit', () => reject(new Error(ENDED))));
    ended.catch(() => undefined);
    await Promise.race([once(worker, 'message'), ended]);
    this.#worker = worker;
    worker.on('message', (bytes: Uint8Array) => {
      if (bytes.byteLength > 0) this.#line?.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    });
    const gone = (error: Error): void => {
      // A thread tells of its end twice, and the second time may come when the next one already runs.
      if (this.#worker !== worker) return;
      this.#worker = null;
      this.#line?.destroy(error);
    };
    worker.on('error', gone);
    worker.on('exit', () => gone(new Error(ENDED)));
  }

  /** The driver may write its next message into the same buffer: the engine gets a copy. */
  #post(bytes: Buffer): Error | null {
    if (this.#worker === null) return new Error(ENDED);
    this.#worker.postMessage(new Uint8Array(bytes));
    return null;
  }
}
