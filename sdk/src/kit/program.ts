import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';

/** A program of Postrider that runs beside the tests. */
export interface Program {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  /** Asks it to stop, and waits until it has. */
  stop(): Promise<void>;
}

/** A program, and how it is started. */
export interface ProgramOptions {
  /** The package that has it, and the file within. */
  readonly package: string;
  readonly file: string;
  readonly args: readonly string[];
  /** Environment variables; those of the caller that are settings of Postrider or of Node are left out. */
  readonly settings: Readonly<Record<string, string>>;
}

/** It leaves with the tests, also when these are killed. */
const LEAVE_WITH_PARENT =
  "process.once('disconnect', () => process.kill(process.pid, 'SIGTERM')); process.channel?.unref();";
const LISTENING = /listening on (\S+)\n/;
const OF_THE_CALLER = /^(?:MESSAGING_|NODE_OPTIONS$|DATABASE_URL$|HOST$|PORT$|LOG_LEVEL$)/;

/**
 * Starts a program and waits until it listens.
 * @throws {Error} with what it said when it ends before, or when its package is not there
 */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const file = fileOf(options);
  const preload = `data:text/javascript,${encodeURIComponent(LEAVE_WITH_PARENT)}`;
  const inherited = Object.entries(process.env).filter(([name]) => !OF_THE_CALLER.test(name));
  const child = fork(file, options.args, {
    env: { ...Object.fromEntries(inherited), ...options.settings },
    // Not those of the test runner.
    execArgv: ['--import', preload],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const ended = once(child, 'close');
  let output = '';
  let isReady = false;
  const url = await new Promise<string>((resolve, reject) => {
    const listen = (chunk: string) => {
      // Later it is read only so that the program can go on writing.
      if (isReady) return;
      output += chunk;
      const [, found] = LISTENING.exec(output) ?? [];
      if (!found) return;
      isReady = true;
      resolve(found);
    };
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', listen);
    const fail = () => reject(new Error(`${options.package} ended before it was ready: ${output.trim()}`));
    ended.then(fail, reject);
  });
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** @throws {Error} that says how to install the package when it is missing */
function fileOf({ package: name, file }: ProgramOptions): string {
  try {
    return createRequire(import.meta.url).resolve(`${name}/${file}`);
  } catch (error) {
    const folder = name.slice(name.indexOf('/') + 1);
    throw new Error(
      `This needs the package ${name}, which is not installed or not built. It is not on npm's registry: ` +
        `"npm run build && npm pack ./${folder}" in the repository of Postrider makes a file that npm installs.`,
      { cause: error },
    );
  }
}
