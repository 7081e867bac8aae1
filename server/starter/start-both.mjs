// What "npm start" and "postrider start" run: the simulator and the service with a demo tenant, until Ctrl-C. Plain JavaScript on
// Node alone, because in a clone it runs before anything is installed or compiled.
// Settings: PORT, MESSAGING_SIMULATOR_PORT, MESSAGING_DATA_DIR, HOST, and all others of "postrider config".
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const LOOPBACK = '127.0.0.1';
/** The sending number of the demo tenant. */
const DEMO_NUMBER = '100000000000001';
/** npm and the terminal both pass on one Ctrl-C; what comes later than this is a second one. */
const SAME_CTRL_C_MS = 700;
/** A service that hangs is found out by its lock. */
const ANSWER_WITHIN_MS = 3_000;
/** Nobody looks at a terminal without a new line for longer while it starts. */
const PROGRESS_MS = 4_000;
/**
 * Megabytes for new objects. V8 begins with one, and until it has grown, copying them takes a seventh of the start; with its own maximum of 16, a
 * busy process copies more of them.
 */
const ROOM_FOR_NEW_OBJECTS = ['--min-semi-space-size=16', '--max-semi-space-size=32'];

const dataDir = resolve(process.env.MESSAGING_DATA_DIR || './data');

/**
 * Runs both until a signal or the end of one of them, and leaves the exit code in `process.exitCode`. Where the service runs already in
 * the data folder, it says where, and starts nothing.
 * @param {{ prepare?: () => Promise<void>, moduleCache?: string }} how `prepare` makes the programs, after everything that can be
 *   checked without them; `moduleCache` is a folder for what Node compiles of modules
 */
export async function startBoth({ prepare = async () => undefined, moduleCache } = {}) {
  const running = await askRunning();
  if (running !== null) return sayWhere(running);
  makeDataFolder();
  await requireFreePorts(settings(process.env));
  await prepare();
  await runBoth(process.env, moduleCache);
}

/** For somebody who starts it a second time. */
function sayWhere(running) {
  const where = running.url ? `at ${running.url.replace(/127\.0\.0\.1|\[::1\]/, 'localhost')} ` : '';
  console.log(`Postrider is already running ${where}(process ${running.pid}, data in ${dataDir}).`);
  console.log('Ctrl-C in its terminal stops it. "npx postrider users link" makes a new link to sign in.');
  console.log('To run another one, set PORT, MESSAGING_SIMULATOR_PORT and MESSAGING_DATA_DIR.');
}

/** Server and simulator both keep something in it; for its owner only. */
function makeDataFolder() {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    console.error(
      `The data folder ${dataDir} cannot be made (${error.code}). Set MESSAGING_DATA_DIR to another folder.`,
    );
    process.exit(2);
  }
}

/** Before anything is compiled, opened or started: what is said then is one sentence. */
async function requireFreePorts({ server, simulator }) {
  const needed = [
    ['PORT', server.HOST, server.PORT],
    ['MESSAGING_SIMULATOR_PORT', simulator.HOST, simulator.MESSAGING_SIMULATOR_PORT],
  ];
  for (const [name, host, port] of needed) {
    if (!(await isTaken(host, port))) continue;
    console.error(`Port ${port} is taken by another program. Stop it, or set ${name} to another port.`);
    process.exit(1);
  }
}

/** Whatever else is wrong with an address or a port, the program that listens there says better. */
function isTaken(host, port) {
  return new Promise((done) => {
    const probe = createServer();
    probe.once('error', (error) => done(error.code === 'EADDRINUSE'));
    if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) return done(false);
    probe.listen({ host, port: Number(port) }, () => probe.close(() => done(false)));
  });
}

/** What the service that works in the data folder says of itself on its operator socket; null: there is none. */
async function askRunning() {
  const absolute = join(dataDir, 'postrider.sock');
  const short = relative(process.cwd(), absolute);
  // The path of a socket has little room: the shorter spelling counts.
  const socketPath = short.length < absolute.length ? short : absolute;
  return new Promise((done) => {
    const call = request({ socketPath, method: 'POST', path: '/ping', timeout: ANSWER_WITHIN_MS }, async (answer) => {
      let text = '';
      for await (const chunk of answer.setEncoding('utf8')) text += chunk;
      done(answer.statusCode === 200 ? JSON.parse(text) : null);
    });
    call.on('timeout', () => call.destroy());
    call.on('error', () => done(null));
    call.end('{}');
  });
}

async function runBoth(given, moduleCache) {
  const { server: serverSettings, simulator: simulatorSettings } = settings(given);
  // From Node 22.1 on, what was compiled of a module is kept for the next start; before, this means nothing.
  const cache = moduleCache === undefined ? {} : { NODE_COMPILE_CACHE: moduleCache };
  const simulatorFile = fileURLToPath(import.meta.resolve('@postrider/simulator/bin'));
  const serverFile = fileURLToPath(new URL('../dist/bin/postrider.cjs', import.meta.url));
  const simulator = start(simulatorFile, ['--quiet'], { ...cache, ...simulatorSettings });
  const server = start(serverFile, ['serve'], { ...cache, ...serverSettings });
  const asked = forwardSignals([server, simulator]);
  showProgress(server);
  const [first, other] = await Promise.race([
    server.exited.then(() => [server, simulator]),
    simulator.exited.then(() => [simulator, server]),
  ]);
  if (!asked()) {
    const [name, rest] = first === simulator ? ['simulator', 'server'] : ['server', 'simulator'];
    const signal = first.endedBy();
    const how = signal === null ? 'has stopped' : `was ended by ${signal}`;
    console.error(`The ${name} ${how}; stopping the ${rest} too.`);
  }
  // The simulator stays until the server is gone, so that sends in flight find their network.
  other.stop('SIGTERM');
  await other.exited;
  // That it was not asked to end is a failure, whatever its own code says.
  process.exitCode = asked() ? await server.exited : Math.max(await first.exited, 1);
  process.disconnect?.();
}

/** The first start makes a database, which takes a while: somebody who waits sees that it goes on. */
function showProgress({ exited }) {
  console.error('Starting …');
  const begunMs = performance.now();
  const timer = setInterval(async () => {
    if ((await askRunning()) !== null) return clearInterval(timer);
    console.error(`  … ${Math.round((performance.now() - begunMs) / 1000)} s`);
  }, PROGRESS_MS);
  exited.then(() => clearInterval(timer));
}

/** The server and the simulator find each other on the loopback, whatever address the server listens on. */
function settings(given) {
  const port = given.PORT || '8080';
  const simulatorPort = given.MESSAGING_SIMULATOR_PORT || '8090';
  const host = given.HOST || LOOPBACK;
  const callbackHost = ['0.0.0.0', '::'].includes(host) ? LOOPBACK : host.includes(':') ? `[${host}]` : host;
  const common = { ...given, PORT: port, MESSAGING_SIMULATOR_PORT: simulatorPort };
  const simulatorUrl = `http://${LOOPBACK}:${simulatorPort}`;
  const callbacks = `http://${callbackHost}:${port}/webhooks`;
  const payments = paymentSettings(given, simulatorUrl, callbacks);
  return {
    server: {
      ...common,
      HOST: host,
      MESSAGING_DEMO: 'on',
      MESSAGING_NETWORK_URL: given.MESSAGING_NETWORK_URL || simulatorUrl,
      ...payments.server,
      // The log is for operators; this terminal is for somebody who looks at it for the first time.
      LOG_LEVEL: given.LOG_LEVEL || 'warn',
    },
    simulator: {
      ...common,
      HOST: LOOPBACK,
      // A customer can write to the demo's number before it has sent anything.
      MESSAGING_SIMULATOR_NUMBERS: given.MESSAGING_SIMULATOR_NUMBERS || DEMO_NUMBER,
      // As strict as the real network, so that what works here works there.
      MESSAGING_SIMULATOR_WINDOW: given.MESSAGING_SIMULATOR_WINDOW || 'on',
      MESSAGING_SIMULATOR_STRICT_TEMPLATES: given.MESSAGING_SIMULATOR_STRICT_TEMPLATES || 'on',
      MESSAGING_SIMULATOR_DEMO_TEMPLATE: given.MESSAGING_SIMULATOR_DEMO_TEMPLATE || 'on',
      // What the service remembers of customers and templates, the network must not have forgotten.
      MESSAGING_SIMULATOR_STATE_DIR: given.MESSAGING_SIMULATOR_STATE_DIR || join(dataDir, 'simulator'),
      // Limits that are lifted for the server are lifted for the network that it talks to.
      MESSAGING_SIMULATOR_NUMBER_RATE: given.MESSAGING_SIMULATOR_NUMBER_RATE || given.MESSAGING_NUMBER_RATE || '80',
      MESSAGING_SIMULATOR_PAIR_LIMIT: given.MESSAGING_SIMULATOR_PAIR_LIMIT || given.MESSAGING_PAIR_LIMIT || 'on',
      MESSAGING_SIMULATOR_CALLBACK_URL: given.MESSAGING_SIMULATOR_CALLBACK_URL || `${callbacks}/meta`,
      ...payments.simulator,
    },
  };
}

/** Payments go to the simulator's gateway, unless a gateway was named. */
function paymentSettings(given, simulatorUrl, callbacks) {
  const secret = given.MESSAGING_STRIPE_WEBHOOK_SECRET || given.MESSAGING_SIMULATOR_GATEWAY_SECRET || 'whsec_simulator';
  const simulator = {
    MESSAGING_SIMULATOR_GATEWAY_CALLBACK_URL:
      given.MESSAGING_SIMULATOR_GATEWAY_CALLBACK_URL ?? `${callbacks}/payments/stripe`,
    MESSAGING_SIMULATOR_GATEWAY_SECRET: secret,
  };
  const returnTo = {
    MESSAGING_PAYMENT_RETURN_URL: given.MESSAGING_PAYMENT_RETURN_URL || `${callbacks}/payments/return`,
  };
  if (given.MESSAGING_STRIPE_KEY || given.MESSAGING_STRIPE_KEY_FILE || given.MESSAGING_STRIPE_URL)
    return { simulator, server: returnTo };
  const server = {
    ...returnTo,
    MESSAGING_STRIPE_URL: simulatorUrl,
    MESSAGING_STRIPE_KEY: 'sk_test_simulator',
    MESSAGING_STRIPE_WEBHOOK_SECRET: secret,
  };
  return { simulator, server };
}

/** In a process group of its own: a Ctrl-C reaches it once, through us, in the right order. */
function start(program, args, env) {
  const preload = new URL('leave-with-parent.mjs', import.meta.url).href;
  // What is preloaded makes the thread pool before the program can say how large it is to be.
  const threads = { UV_THREADPOOL_SIZE: '16' };
  // Options that Node was given for this process apply to the programs, too.
  const options = [...process.execArgv, ...ROOM_FOR_NEW_OBJECTS, '--import', preload];
  const child = spawn(process.execPath, [...options, program, ...args], {
    // Relative folders are meant as the caller sees them, and npm starts us in the project.
    cwd: process.cwd(),
    env: { ...threads, ...env },
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(`${program} could not be started: ${error.message}`);
      resolve(1);
    });
    child.once('exit', (code) => resolve(code ?? 1));
  });
  const endedBy = () => child.signalCode;
  return {
    exited,
    endedBy,
    stop: (signal) => child.exitCode === null && child.signalCode === null && child.kill(signal),
  };
}

/** The first signal stops the server, and with it the rest; a second Ctrl-C ends everything at once. */
function forwardSignals([server, simulator]) {
  let askedAtMs = null;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      const nowMs = performance.now();
      if (askedAtMs === null) {
        askedAtMs = nowMs;
        server.stop('SIGTERM');
      } else if (signal === 'SIGINT' && nowMs - askedAtMs > SAME_CTRL_C_MS) {
        server.stop('SIGKILL');
        simulator.stop('SIGKILL');
      }
    });
  }
  return () => askedAtMs !== null;
}
