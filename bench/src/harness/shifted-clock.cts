/*
 * Preloaded into a process whose wall clock a run sets. Timers and the monotonic clock are left alone, as they are when
 * somebody sets the clock of a machine.
 */
const { readFileSync } = require('node:fs') as typeof import('node:fs');

const LOOK_EVERY_MS = 50;
const file = process.env.CLOCK_OFFSET_FILE ?? '';
const realNow = Date.now;
let offsetMs = 0;

/** Milliseconds since 1970, as the clock was set. */
const now = (): number => realNow() + offsetMs;

globalThis.Date = new Proxy(Date, {
  construct: (real, args, made) => Reflect.construct(real, args.length === 0 ? [now()] : args, made) as Date,
  apply: () => new Date().toString(),
  get: (real, name, receiver) => (name === 'now' ? now : (Reflect.get(real, name, receiver) as unknown)),
});

function look(): void {
  try {
    offsetMs = Number(readFileSync(file, 'utf8'));
  } catch {
    offsetMs = 0;
  }
}

look();
setInterval(look, LOOK_EVERY_MS).unref();
