/*
 * The thread of the embedded database: bytes of PostgreSQL's protocol in, bytes out. Plain JavaScript, because a thread
 * is started from a file that Node itself must understand, in the tests as well as in the build.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/** @typedef {{ folder: string | null, program: object, session: readonly string[] }} WorkerData */

const { folder, program, session } = /** @type {WorkerData} */ (workerData);
const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);

/**
 * The folder on disk, for its owner alone. The engine gives each file that it creates the mode that its program asked
 * for, often 0666, whatever the umask of the process is.
 */
class PrivateFolder extends NodeFS {
  /**
   * @override
   * @type {NodeFS['init']}
   */
  async init(...given) {
    const { emscriptenOpts } = await super.init(...given);
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), keepPrivate] } };
  }
}

/** @param {{ FS: { chmod(path: unknown, mode: number, ...rest: unknown[]): void } }} engine */
function keepPrivate({ FS }) {
  const chmod = FS.chmod;
  FS.chmod = (path, mode, ...rest) => chmod(path, mode & 0o700, ...rest);
}

const options = { pgliteWasmModule: program };
const lite = await PGlite.create(folder === null ? options : { ...options, fs: new PrivateFolder(folder) });

/** The status with which PostgreSQL jumps out of a statement that fails, to the loop that reads the next one. */
const LONG_JUMP = 100;

/*
 * Whatever else PostgreSQL throws is its end: a panic, for example a checkpoint on a disk that is full. PGlite would call it again
 * for ever. Here its thread ends, and the next one recovers what was committed.
 */
const engine = lite.Module;
const runOnce = engine._PostgresMainLoopOnce;
engine._PostgresMainLoopOnce = () => {
  try {
    runOnce();
  } catch (error) {
    if (/** @type {{ status?: number }} */ (error).status !== LONG_JUMP) process.exit(1);
    throw error;
  }
};

/** First byte of a connection's first message: the high byte of its length. Every later message begins with a letter. */
const STARTUP = 0;

/** @param {string} text @returns {Uint8Array} a simple query as PostgreSQL's protocol has it (manual, 55.7) */
function query(text) {
  const body = Buffer.from(`${text}\0`);
  const message = Buffer.alloc(5 + body.length);
  message.write('Q', 0);
  message.writeUInt32BE(4 + body.length, 1);
  body.copy(message, 5);
  return message;
}

/**
 * There is one session, whoever connects: what the last connection left in it goes (its broken message, its
 * transaction, its prepared statements), and the settings come.
 */
function freshSession() {
  lite.execProtocolRawSync(Buffer.from('S\0\0\0\x04', 'latin1'));
  for (const text of ['rollback', 'discard all', ...session]) lite.execProtocolRawSync(query(text));
}

port.on('message', (/** @type {Uint8Array | null} */ bytes) => {
  if (bytes === null) {
    void lite.close().then(() => process.exit());
    return;
  }
  if (bytes[0] === STARTUP) freshSession();
  port.postMessage(lite.execProtocolRawSync(bytes));
});
port.postMessage(null);
