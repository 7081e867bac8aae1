// What somebody does who starts the service for the first time, from a clone, from the package, in several processes or cells: sends a
// message and sees it delivered, sends badly, with a wrong key and for another tenant, and kills the service while messages are on their way.
// `node scripts/walks.mjs [way …]`; TEST_DATABASE_URL names the PostgreSQL server.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Package } from './walks/copies.mjs';
import { Databases } from './walks/databases.mjs';
import { Place } from './walks/place.mjs';
import { killAll, lastLines } from './walks/program.mjs';
import { stillWaiting, walk } from './walks/walk.mjs';
import { ways } from './walks/ways.mjs';
import { prepare } from './workspace.mjs';

/** One that takes longer hangs: how fast a machine is decides nothing. */
const LIMIT_MS = 900_000;

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in ways));
if (unknown.length > 0) {
  console.error(`There is no way ${unknown.join(', ')}. The ways are ${Object.keys(ways).join(', ')}.`);
  process.exit(2);
}
if (!process.env.TEST_DATABASE_URL) {
  console.error('Set TEST_DATABASE_URL to the address of a PostgreSQL server on which databases can be made.');
  process.exit(2);
}
const databases = new Databases();
const installation = new Package();
// What was started has groups of its own, which Ctrl-C does not reach.
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    await killAll();
    await close();
    process.exit(1);
  });
}
await prepare({ packages: ['server', 'simulator', 'sdk'], onlyRuntime: true });
for (const [name, way] of Object.entries(ways)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  if (!(await run(name, way))) process.exitCode = 1;
}
await close();
// What is left of a way that failed would ask its dead service for ever.
process.exit();

async function close() {
  installation.close();
  await databases.close();
}

/** @returns whether everything was as it should be */
async function run(name, way) {
  const begunMs = performance.now();
  const say = (text) => console.log(`${name}: ${text}`);
  say(way.title);
  const folder = mkdtempSync(join(tmpdir(), 'postrider-walk-'));
  const place = await Place.make(folder, { databases, package: installation });
  try {
    await withinLimit(go(way, place, say));
    say(`done in ${seconds(begunMs)} s`);
    return true;
  } catch (error) {
    say(`FAILED after ${seconds(begunMs)} s: ${error.message}`);
    for (const line of [...stillWaiting(), ...lastLines()]) say(line);
    return false;
  } finally {
    await killAll();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function go(way, place, say) {
  const service = await way.start(place, say);
  await walk({ ...service, arrivalsOf: (phone) => place.arrivalsOf(phone) }, say);
  await service.also?.();
  await service.stop();
}

async function withinLimit(work) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('It takes too long.')), LIMIT_MS);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function seconds(sinceMs) {
  return ((performance.now() - sinceMs) / 1000).toFixed(1);
}
