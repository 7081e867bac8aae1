import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { childrenOf, cpuMsOfFamily } from './cpu-time.ts';
import { HANGS_AFTER_MS, pollUntil } from './pause.ts';
import { freePort } from './ports.ts';

/** A PostgreSQL server of our own: we may kill it. */
export interface Postgres {
  /** Address of the maintenance database. */
  readonly adminUrl: string;
  /** Makes an empty database. @returns its address */
  createDatabase(name: string): Promise<string>;
  dropDatabase(name: string): Promise<void>;
  /** kill -9 of the postmaster. Its children notice and end. */
  killHard(): void;
  /** Stops all its processes in the middle of what they do. @returns what resumes them */
  freeze(): () => void;
  /** True when its postmaster has ended. */
  isGone(): boolean;
  /** Starts it again after a kill; resolves when it takes queries. */
  restart(): Promise<void>;
  /** Stops it in order, has `work` do something to its data folder, and starts it again. */
  whileStopped(work: (dataFolder: string) => void): Promise<void>;
  stop(): Promise<void>;
  /** CPU time that it has had with all its processes; null of a server that is not ours. */
  cpuMs(): number | null;
  readonly version: string;
}

/** Beside these everything is as initdb leaves it: fsync, synchronous_commit and full_page_writes stay on. */
const OPTIONS = { shared_buffers: '512MB', max_wal_size: '4GB', listen_addresses: '127.0.0.1', max_connections: '200' };
const SUPERUSER = 'postgres';

/** True when the programs of a PostgreSQL server are installed. */
export function findPostgresBin(): string | null {
  try {
    const versions = readdirSync('/usr/lib/postgresql').toSorted((a, b) => Number(b) - Number(a));
    return versions.map((version) => `/usr/lib/postgresql/${version}/bin`)[0] ?? fromPgConfig();
  } catch {
    return fromPgConfig();
  }
}

function fromPgConfig(): string | null {
  try {
    return execFileSync('pg_config', ['--bindir'], { encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}

/**
 * Makes a cluster in `folder` and starts it.
 * @param checksums whether it checks every page that it reads
 * @throws Error when PostgreSQL is not installed
 */
export async function startPostgres(folder: string, { checksums = false } = {}): Promise<Postgres> {
  return runCluster(folder, 'postgres', ({ bin, data }) => [
    ...[join(bin, 'initdb'), '-D', data],
    ...['-A', 'trust', '-U', SUPERUSER, '-E', 'UTF8', '--locale=C'],
    ...(checksums ? ['-k'] : []),
  ]);
}

/** A replica that follows another server, asynchronously, until it is promoted. */
export interface Standby extends Postgres {
  /** It gets no more of the log: from now on it falls behind. */
  cutOff(): Promise<void>;
  /** Resolves when it takes writes, on a new timeline. */
  promote(): Promise<void>;
}

/** Makes a replica of a running server in `folder` and starts it. */
export async function startStandby(folder: string, primary: Pick<Postgres, 'adminUrl'>): Promise<Standby> {
  const standby = await runCluster(folder, 'standby', ({ bin, data }) => [
    ...[join(bin, 'pg_basebackup'), '-d', primary.adminUrl],
    ...['-D', data, '-R', '-X', 'stream', '-c', 'fast'],
  ]);
  return {
    ...standby,
    cutOff: async () => {
      await runSql(standby.adminUrl, "alter system set primary_conninfo = ''");
      await runSql(standby.adminUrl, 'select pg_reload_conf()');
    },
    promote: () => runSql(standby.adminUrl, 'select pg_promote()'),
  };
}

/** Writes a dump of a database into a file, as an operator makes a backup. */
export function dumpDatabase(databaseUrl: string, file: string): Promise<void> {
  return runClient('pg_dump', ['-Fc', '-f', file, databaseUrl]);
}

/** Restores a dump into an empty database. */
export function restoreDatabase(file: string, databaseUrl: string): Promise<void> {
  return runClient('pg_restore', ['--exit-on-error', '-d', databaseUrl, file]);
}

/** The load continues during this. */
async function runClient(program: string, args: readonly string[]): Promise<void> {
  await promisify(execFile)(join(findPostgresBin() ?? '', program), [...args]);
}

type MakeCluster = (place: { readonly bin: string; readonly data: string }) => readonly string[];

async function runCluster(folder: string, name: string, make: MakeCluster): Promise<Postgres> {
  const bin = findPostgresBin();
  if (bin === null) throw new Error('PostgreSQL is not installed: no pg_config and nothing in /usr/lib/postgresql.');
  const data = join(folder, name);
  mkdirSync(data, { recursive: true, mode: 0o700 });
  openToSuperuser(folder, data);
  asSuperuser(make({ bin, data }), folder);
  const port = await freePort();
  const adminUrl = `postgres://${SUPERUSER}@127.0.0.1:${port}/postgres`;
  let pid = 0;
  const start = async (): Promise<void> => {
    await launch({ bin, data, port, adminUrl });
    pid = postmasterPid(data);
  };
  await start();
  const killHard = (): void => void process.kill(pid, 'SIGKILL');
  // It is detached: nothing else would end it with this process.
  const leave = (): void => {
    // Frozen children would not notice that the postmaster is gone.
    for (const child of childrenOf(pid)) signalIfThere(child, 'SIGKILL');
    signalIfThere(pid, 'SIGKILL');
  };
  // Before the folder is deleted, which was registered earlier.
  process.prependOnceListener('exit', leave);
  return {
    adminUrl,
    version: execFileSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' }).trim(),
    ...databasesOf(adminUrl),
    killHard,
    freeze: () => freezeFamily(pid),
    isGone: () => !signalIfThere(pid, 0),
    restart: start,
    cpuMs: () => cpuMsOfFamily(pid),
    whileStopped: async (work) => {
      asSuperuser([join(bin, 'pg_ctl'), '-D', data, '-m', 'fast', '-w', 'stop'], folder);
      work(data);
      await start();
    },
    stop: async () => {
      asSuperuser([join(bin, 'pg_ctl'), '-D', data, '-m', 'immediate', '-w', 'stop'], folder);
      process.removeListener('exit', leave);
    },
  };
}

/** An existing server: databases are created and dropped in it, and it is never killed. */
export async function usePostgres(adminUrl: string): Promise<Postgres> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  const { rows } = await client.query<{ version: string }>("select split_part(version(), ' on ', 1) as version");
  await client.end();
  const notOurs = (): never => {
    throw new Error('This PostgreSQL server is not ours to kill.');
  };
  return {
    ...databasesOf(adminUrl),
    adminUrl,
    version: rows[0]?.version ?? 'PostgreSQL',
    killHard: notOurs,
    freeze: notOurs,
    isGone: () => false,
    restart: notOurs,
    cpuMs: () => null,
    whileStopped: notOurs,
    stop: () => Promise.resolve(),
  };
}

/** The postmaster first: what it started in the meantime would keep running. */
function freezeFamily(postmaster: number): () => void {
  process.kill(postmaster, 'SIGSTOP');
  const all = [postmaster, ...childrenOf(postmaster)];
  for (const pid of all) signalIfThere(pid, 'SIGSTOP');
  return () => {
    for (const pid of all) signalIfThere(pid, 'SIGCONT');
  };
}

/**
 * @param signal 0 only checks whether it exists @returns false when it has ended in the meantime, or a fault of the run
 * has killed it
 */
function signalIfThere(pid: number, signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL' | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

function databasesOf(adminUrl: string): Pick<Postgres, 'createDatabase' | 'dropDatabase'> {
  return {
    createDatabase: async (name) => {
      await runSql(adminUrl, `drop database if exists ${pg.escapeIdentifier(name)} with (force)`);
      await runSql(adminUrl, `create database ${pg.escapeIdentifier(name)}`);
      const url = new URL(adminUrl);
      url.pathname = `/${name}`;
      return url.href;
    },
    dropDatabase: (name) => runSql(adminUrl, `drop database if exists ${pg.escapeIdentifier(name)} with (force)`),
  };
}

/** Runs one statement on a separate connection. */
export async function runSql(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

function postmasterPid(data: string): number {
  return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
}

/** The server refuses to run as root, and its own user must reach the folder. */
function openToSuperuser(folder: string, data: string): void {
  if (process.getuid?.() !== 0) return;
  chmodSync(folder, 0o755);
  const id = (flag: string): number => Number(execFileSync('id', [flag, SUPERUSER], { encoding: 'utf8' }));
  chownSync(data, id('-u'), id('-g'));
}

function prefix(): readonly string[] {
  return process.getuid?.() === 0 ? ['setpriv', `--reuid=${SUPERUSER}`, `--regid=${SUPERUSER}`, '--clear-groups'] : [];
}

function asSuperuser(command: readonly string[], cwd: string): void {
  const [program = '', ...args] = [...prefix(), ...command];
  execFileSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
}

interface Launch {
  readonly bin: string;
  readonly data: string;
  readonly port: number;
  readonly adminUrl: string;
}

async function launch({ bin, data, port, adminUrl }: Launch): Promise<void> {
  const settings = Object.entries({ ...OPTIONS, unix_socket_directories: data, port: String(port) });
  const [program = '', ...args] = [
    ...prefix(),
    join(bin, 'postgres'),
    '-D',
    data,
    ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
  let running: ChildProcess | null = null;
  const probe = async (): Promise<true> => {
    // After a kill the old server's children hold its shared memory a moment longer: the new one refuses, and is asked again.
    if (running === null || running.exitCode !== null) running = spawnDetached(program, args, data);
    await runSql(adminUrl, 'select 1');
    return true;
  };
  await pollUntil({ what: 'PostgreSQL does not take queries', everyMs: 25, timeoutMs: HANGS_AFTER_MS, probe });
}

/** Detached, so that a Ctrl-C in the terminal ends the run in our order and not in the terminal's. */
function spawnDetached(program: string, args: readonly string[], cwd: string): ChildProcess {
  const child = spawn(program, args, { cwd, stdio: 'ignore', detached: true });
  child.unref();
  return child;
}
