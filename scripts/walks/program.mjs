import { spawn } from 'node:child_process';
import { createServer } from 'node:net';

/** Everything that runs, so that nothing is left when a walk ends early. */
const running = new Set();

/** A program of a walk, in a process group of its own, with what it has printed. */
export class Program {
  #child;
  /** For messages. */
  name;
  #waiting = new Set();
  #text = '';
  #begunMs = performance.now();
  #lineMs = this.#begunMs;
  /** The longest time without a line of output, in milliseconds. */
  silenceMs = 0;
  /** Resolves with the exit code when all that it wrote has come. */
  ended;

  /** @param {{ name: string, command: readonly string[], env: Record<string, string>, cwd?: string }} program */
  constructor({ name, command: [file, ...args], env, cwd }) {
    this.name = name;
    const { PATH, HOME } = process.env;
    this.#child = spawn(file, args, {
      cwd,
      env: { PATH, HOME, ...env },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(this);
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => this.#heard(text));
    }
    this.ended = new Promise((resolve, reject) => {
      this.#child.once('error', reject);
      this.#child.once('close', (code) => {
        running.delete(this);
        resolve(code);
        this.#child = null;
        for (const check of this.#waiting) check();
      });
    });
  }

  #heard(text) {
    const nowMs = performance.now();
    this.silenceMs = Math.max(this.silenceMs, nowMs - this.#lineMs);
    this.#lineMs = nowMs;
    this.#text += text;
    for (const check of this.#waiting) check();
  }

  /** All that it has printed. */
  get text() {
    return this.#text;
  }

  /** Seconds since it was started. */
  get seconds() {
    return (performance.now() - this.#begunMs) / 1000;
  }

  /** Resolves when it has printed something. @throws Error with all that it printed, when it ends before */
  printed(pattern) {
    return new Promise((resolve, reject) => {
      const check = () => {
        const match = pattern.exec(this.#text);
        if (match) resolve(match);
        else if (this.#child === null) reject(new Error(`${this.name} ended and had printed:\n${this.#text}`));
        else return;
        this.#waiting.delete(check);
      };
      this.#waiting.add(check);
      check();
    });
  }

  /** Ends it and all that it has started, as a machine that loses its power does. */
  async kill() {
    if (this.#child !== null) process.kill(-this.#child.pid, 'SIGKILL');
    await this.ended;
  }

  /**
   * Asks it to end, as a supervisor does, and waits until all that it started has ended as well.
   * @throws Error when it ends with another code than 0; null: it may die of the signal, as npm does
   */
  async stop(expected = 0) {
    if (this.#child !== null) process.kill(this.#child.pid, 'SIGTERM');
    const code = await this.ended;
    if (code !== 0 && code !== expected)
      throw new Error(`${this.name} ended with ${code} after SIGTERM:\n${this.#text}`);
  }
}

/** Runs a program to its end. @returns what it printed @throws Error when it fails */
export async function output(program) {
  const one = new Program(program);
  const code = await one.ended;
  if (code !== 0) throw new Error(`${program.name} ended with ${code}:\n${one.text}`);
  return one.text;
}

/** @returns the last lines of each program that still runs */
export function lastLines(count = 15) {
  return [...running].flatMap(({ name, text }) => [
    `${name} runs, and printed last:`,
    ...text.trimEnd().split('\n').slice(-count),
  ]);
}

/** Kills what still runs. */
export async function killAll() {
  await Promise.all([...running].map((program) => program.kill()));
}

/** A port that was free a moment ago, below those that the system gives to outgoing connections. */
export async function freePort() {
  const port = 12_000 + Math.floor(Math.random() * 8_000);
  const server = createServer();
  const isFree = await new Promise((done) => {
    server.once('error', () => done(false));
    server.listen(port, '127.0.0.1', () => done(true));
  });
  if (!isFree) return freePort();
  await new Promise((done) => server.close(done));
  return port;
}
