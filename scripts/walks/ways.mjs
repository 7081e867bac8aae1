import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startClone, startPackage, startUnit } from './first-steps.mjs';
import { compiled, makeTenant } from './place.mjs';
import { output } from './program.mjs';
import { serving, startServing } from './serving.mjs';
import { sendAndSee } from './walk.mjs';

/*
 * The ways of running: how each is started. A way gets a place, and returns the service that runs there.
 */

/** @type {Record<string, { title: string, start: (place, say) => Promise<object> }>} */
export const ways = {
  clone: { title: 'npm start in a new clone', start: startClone },
  package: { title: 'the npm package, by postrider start', start: startPackage },
  unit: { title: 'the npm package, by the command line and the settings of the unit for systemd', start: startUnit },
  processes: {
    title: 'two processes behind one port, by serve --processes 2',
    start: startProcesses,
  },
  roles: { title: 'two processes with split roles on one PostgreSQL', start: startRoles },
  cells: { title: 'two cells, each with a database of its own', start: startCells },
};

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
  const otherKey = await makeTenant(service.env, 'Bank', { options: ['--cell', 'b'] });
  await run('numbers', 'add', '100000000000002', '--phone', '+15550100002', '--tenant', 'Bank');
  const also = async () => {
    await sendAndSee({ ...service, key: otherKey }, 'walk-bank');
    say('the tenant of the other cell sent a message');
  };
  return { ...service, otherKey, also };
}
