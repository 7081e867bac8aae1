import { compiled, makeTenant } from './place.mjs';
import { Program } from './program.mjs';

/*
 * The service by itself, on a PostgreSQL server, in one or several programs.
 */

const KEY = 'key-of-the-walks-0123456789';
const BOOTSTRAP = { MESSAGING_BOOTSTRAP_API_KEY: KEY };
/** Cells share it. */
const ENCRYPTION = { MESSAGING_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') };

const textTo = (to) => ({ to, body: 'From a walk.' });

/**
 * Starts `serve` in one or several programs, beside a network that lives on when they are killed.
 * @param {{ programs: readonly { name: string, command: readonly string[], env?: object, ready: RegExp }[], settings: object }} how
 */
export async function startServing(place, say, { programs, settings }) {
  const env = { ...place.settings, ...BOOTSTRAP, ...ENCRYPTION, ...settings };
  await place.startNetwork();
  const running = new Map();
  const begin = async (one) => {
    const { name, command, env: own, ready } = one;
    const program = new Program({ name, command, env: { ...env, ...own } });
    running.set(one, program);
    await program.printed(ready);
    return program;
  };
  for (const one of programs) {
    const program = await begin(one);
    say(`${one.name} ready after ${program.seconds.toFixed(1)} s`);
  }
  return {
    ...{ base: place.base, key: KEY, otherKey: await makeTenant(env, 'Other'), messageTo: textTo, env },
    kill: () => Promise.all(programs.map((one) => running.get(one).kill())),
    restart: async () => {
      for (const one of programs) await begin(one);
    },
    stop: () => Promise.all([...running.values()].map((program) => program.stop())),
  };
}

/** `serve` of the compiled service. */
export const serving = (...options) => ({
  name: ['serve', ...options].join(' '),
  command: [...compiled, 'serve', ...options],
  ready: /listening on|^running /m,
});
