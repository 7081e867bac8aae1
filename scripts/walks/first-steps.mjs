import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root } from '../workspace.mjs';
import { asServiceUser, makeClone, makeServiceFolder, writeServiceFile } from './copies.mjs';
import { makeTenant } from './place.mjs';
import { Program } from './program.mjs';
import { startServing } from './serving.mjs';

/*
 * Ways of running that need nothing but what is downloaded: a clone, and the package, with the network that they bring along, or as the
 * unit of systemd runs them.
 */

const READY = /Ctrl-C stops/;
/** To somebody who has not written, nothing else gets through: their network is as strict as the real one. */
const templateTo = (to) => ({
  ...{ to, type: 'template' },
  template: { name: 'order_ready', language: 'en_US', variables: { first_name: 'Ada', order_no: 'A-17' } },
});

export async function startClone(place, say) {
  const clone = makeClone(place.folder);
  const postrider = [process.execPath, join(clone, 'server', 'dist', 'bin', 'postrider.cjs')];
  return startWhole(place, say, { command: ['npm', 'start'], cwd: clone, postrider, endsWith: null });
}

export async function startPackage(place, say) {
  const postrider = [join(await place.package.installed(), 'postrider')];
  say('the package is made and installed');
  return startWhole(place, say, { command: [...postrider, 'start'], cwd: place.folder, postrider });
}

/** Service and network together, by the one command that a newcomer gives. */
async function startWhole(place, say, { command, cwd, postrider, endsWith = 0 }) {
  const { MESSAGING_NETWORK_URL: _, LOG_LEVEL: __, ...env } = place.settings;
  let program;
  const begin = async (what) => {
    program = new Program({ name: command.join(' '), command, env, cwd });
    await program.printed(READY);
    const silence = (program.silenceMs / 1000).toFixed(1);
    say(`${what} after ${program.seconds.toFixed(1)} s, ${silence} s at most without a line`);
  };
  await begin('ready');
  const [key] = await program.printed(/pr_test_\w+/);
  return {
    ...{ base: place.base, key, otherKey: await makeTenant(env, 'Other', { command: postrider }) },
    messageTo: templateTo,
    // The network lives on, as the real one does, and ends when what started both sees that the service is gone.
    kill: async () => {
      process.kill(JSON.parse(readFileSync(join(place.data, 'postrider.lock'), 'utf8')).pid, 'SIGKILL');
      await program.ended;
    },
    restart: () => begin('ready again'),
    stop: () => program.stop(endsWith),
  };
}

/** What the unit says, but for its folders and for the walls that systemd builds around it. */
export async function startUnit(place, say) {
  const bin = await place.package.installed();
  const credentials = makeServiceFolder(place.folder, 'credentials');
  const state = makeServiceFolder(place.folder, 'state');
  const unit = readFileSync(join(root, 'deploy', 'systemd', 'postrider.service'), 'utf8');
  const valuesOf = (name) => [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value);
  const [, secret, stored] = /^LoadCredential=(\w+):(\S+)$/m.exec(unit) ?? [];
  if (secret !== 'database_url' || stored !== '/etc/postrider/database_url') {
    throw new Error('The unit does not load the address of the database.');
  }
  writeServiceFile(join(credentials, secret), await place.databases.make());
  const env = { ...place.settings, PATH: [bin, process.env.PATH].join(delimiter), HOME: state };
  for (const one of valuesOf('Environment').flatMap((line) => line.split(' '))) {
    const [name, value] = one.split(/=(.*)/s);
    env[name] = value.replace('%d', credentials).replace('/var/lib/postrider', state);
  }
  const [line] = valuesOf('ExecStart');
  return startServing(place, say, {
    programs: [{ name: line, command: [...asServiceUser(), ...line.split(' ')], ready: /listening on|^running /m }],
    settings: env,
  });
}
