// npm run prove: every proof, whole, one after the other: for a night. .ci/run has a short slice of each.
// `npm run prove -- audit walks` runs only these. TEST_DATABASE_URL names a PostgreSQL server for the suite and the walks; the other
// proofs start their own.
import { spawnSync } from 'node:child_process';
import { prepare, root } from './workspace.mjs';

const bench = (program, ...args) => [process.execPath, `bench/dist/src/${program}.js`, ...args];
const tests = (...args) => [process.execPath, 'scripts/test.mjs', '--whole', ...args];

/** @type {Record<string, { title: string, command: readonly string[], env?: Record<string, string>, needsServer?: boolean }>} */
const PROOFS = {
  suite: {
    title: 'the whole suite, on the embedded database and on PostgreSQL',
    command: tests('--all'),
    needsServer: true,
  },
  callbacks: {
    title: '4,000 random callbacks: every item is stored, or recorded as ignored',
    command: tests('--project', 'cells', 'server/src/inbound/workers/every-item.db.test.ts'),
    env: { CALLBACK_CASES: '4000' },
    needsServer: true,
  },
  fuzzer: { title: 'requests made from the API description find nothing', command: bench('fuzz', '--minutes', '5') },
  chaos: { title: 'nothing is lost or doubled under faults', command: bench('chaos', '--rounds', '40') },
  campaign: { title: 'a campaign survives kills', command: bench('campaign-chaos') },
  history: { title: 'a restore and a failover repeat nothing', command: bench('history-chaos') },
  moves: { title: 'tenants move between cells while they send', command: bench('prove-moves') },
  audit: { title: 'the audit of chaos finds what is broken on purpose', command: bench('prove-audit') },
  walks: {
    title: 'a clone, the package, the unit, several processes, roles and cells send, refuse and survive a kill',
    command: [process.execPath, 'scripts/walks.mjs'],
    needsServer: true,
  },
  image: { title: 'the image starts, sends and is small', command: ['scripts/image-proof'] },
  benchmarks: { title: 'every benchmark runs', command: bench('bench', '--quick') },
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in PROOFS));
if (unknown.length > 0) stop(`Unknown: ${unknown.join(', ')}. The proofs are ${Object.keys(PROOFS).join(', ')}.`);
const chosen = Object.entries(PROOFS).filter(([name]) => wanted.length === 0 || wanted.includes(name));
if (!process.env.TEST_DATABASE_URL && chosen.some(([, { needsServer }]) => needsServer)) {
  stop('Set TEST_DATABASE_URL to a PostgreSQL server on which databases can be created.');
}
await prepare({ packages: ['server', 'simulator', 'sdk', 'e2e', 'bench'] });
const results = chosen.map(([name, proof]) => ({ name, ...prove(name, proof) }));
console.log('');
for (const { name, holds, seconds } of results) console.log(`${holds ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
const held = results.filter(({ holds }) => holds).length;
console.log(`${held} passed, ${results.length - held} failed`);
process.exitCode = held === results.length ? 0 : 1;

/** @returns whether a proof holds, and how long it took */
function prove(name, { title, command: [program, ...args], env = {} }) {
  console.log(`\n== ${name}: ${title}`);
  const startMs = performance.now();
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  if (error) console.error(`${program} could not be started: ${error.message}`);
  return { holds: status === 0, seconds: Math.round((performance.now() - startMs) / 1000) };
}

/** @returns {never} */
function stop(sentence) {
  console.error(sentence);
  process.exit(2);
}
