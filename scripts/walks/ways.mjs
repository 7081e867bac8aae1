import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { compiled, makeTenant } from './place.mjs';
import { output, Program } from './program.mjs';
import { sendAndSee } from './walk.mjs';

/*
 * Ways of running that share a PostgreSQL server: how each is started. A way gets a place, and returns the service that runs there.
 */

const KEY = 'key-of-the-walks-0123456789';
const BOOTSTRAP = { MESSAGING_BOOTSTRAP_API_KEY: KEY };
/** Cells share it. */
const ENCRYPTION = { MESSAGING_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') };

const textTo = (to) => ({ to, body: 'From a walk.' });

/** @type {Record<string, { title: string, start: (place, say) => Promise<object> }>} */
export const ways = {
  processes: {
    title: 'two processes behind one port, by serve --processes 2',
    start: startProcesses,
  },
  roles: { title: 'two processes with split roles on one PostgreSQL', start: startRoles },
  cells: { title: 'two cells, each with a database of its own', start: startCells },
};

/** `serve` of the compiled service, in one or several programs. */
async function startServing(place, say, { programs, settings }) {
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

const serving = (...options) => ({
  name: ['serve', ...options].join(' '),
  command: [...compiled, 'serve', ...options],
  ready: /listening on|^running /m,
});

async function startProcesses(place, say) {
  const settings = { DATABASE_URL: await place.databases.make() };
  return startServing(place, say, { programs: [serving('--processes', '2')], settings });
}

async function startRoles(place, say) {
  const settings = { DATABASE_URL: await place.databases.makeMigrated() };
  const front = serving('--roles', 'api,receiver,ingester');
  const back = serving('--roles', 'dispatcher,notifier,campaigner,maintenance');
  const data = join(place.folder, 'data-2');
  mkdirSync(data, { mode: 0o700 });
  const programs = [front, { ...back, env: { MESSAGING_DATA_DIR: data } }];
  return startServing(place, say, { programs, settings });
}

/** The cell of the other tenant has a database of its own. */
async function startCells(place, say) {
  const settings = { DATABASE_URL: await place.databases.makeMigrated() };
  const service = await startServing(place, say, { programs: [serving()], settings });
  const run = (...args) => output({ name: args.join(' '), command: [...compiled, ...args], env: service.env });
  await run('cells', 'add', 'b', '--url', await place.databases.make());
  const otherKey = await makeTenant(service.env, 'Bank', ['--cell', 'b']);
  await run('numbers', 'add', '100000000000002', '--phone', '+15550100002', '--tenant', 'Bank');
  const also = async () => {
    await sendAndSee({ ...service, key: otherKey }, 'walk-bank');
    say('the tenant of the other cell sent a message');
  };
  return { ...service, otherKey, also };
}
