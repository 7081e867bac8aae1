import { join } from 'node:path';
import { AccountRegistry } from './accounts/account-registry.ts';
import { TokenRegistry } from './accounts/token-registry.ts';
import { BusinessRegistry } from './business/business-registry.ts';
import { CallbackDispatcher } from './callbacks/dispatcher.ts';
import { CallbackClient } from './callbacks/post.ts';
import { ChaosEngine } from './chaos.ts';
import { Clock, Timers } from './clock.ts';
import { CustomerBehaviors } from './customer-behavior.ts';
import { Customers } from './customers.ts';
import { Failures } from './failures.ts';
import { FigureBook } from './figures/figure-book.ts';
import { FlowRegistry } from './flows/flow-registry.ts';
import { GatewayEvents } from './gateway/events.ts';
import { Gateway } from './gateway/gateway.ts';
import { closeServer, createSimulatorServer, listen } from './http-server.ts';
import { Ledger } from './ledger.ts';
import { MagicCounters } from './magic.ts';
import { MediaStore } from './media/media-store.ts';
import { NumberRegistry } from './numbers.ts';
import { PhonePasts } from './past/phone-past.ts';
import { DEFAULT_SETTINGS, type Settings } from './settings.ts';
import type { Simulation } from './simulation.ts';
import { applySnapshot, takeSnapshot } from './state/snapshot.ts';
import { StateFile } from './state/state-file.ts';
import { Stats } from './stats.ts';
import { TempFolder } from './temp-folder.ts';
import { addDemoTemplate } from './templates/demo-template.ts';
import { DEFAULT_REVIEW } from './templates/review.ts';
import { TemplateStore } from './templates/template-store.ts';
import { UploadSessions } from './uploads/upload-sessions.ts';
import { WamidMaker } from './wamid.ts';

export type SimulatorOptions = Partial<Settings> & {
  readonly host?: string;
  /** 0 (the default) takes a free port. */
  readonly port?: number;
  /** NDJSON file that every accepted send is appended to before its answer. */
  readonly ledgerFile?: string | null;
  /** Ids of business numbers that exist from the start; further ones do once they are used, unless `strictNumbers`. */
  readonly numbers?: readonly string[];
  /** Where the state is kept for the next run; null: it ends with the simulator. */
  readonly stateFolder?: string | null;
  /** One approved template in the usual account, unless an earlier run kept a state. */
  readonly demoTemplate?: boolean;
  /** Unix milliseconds; the simulator adds its own offset. */
  readonly now?: () => number;
  /** One line for the operator; silent by default. */
  readonly log?: (line: string) => void;
  /** One line about what went wrong; as `log` unless it is given. */
  readonly warn?: (line: string) => void;
};

export type Simulator = {
  /** Base address without a trailing slash, e.g. `http://127.0.0.1:8090`. */
  readonly url: string;
  readonly port: number;
  /** Ends immediately: connections, callbacks under way, timers. What was accepted is in the ledger file. */
  close(): Promise<void>;
};

const LOOPBACK = '127.0.0.1';

/** Starts a simulated network. Rejects with the operating system's error when the port or the ledger file is not to be had. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const {
    host = LOOPBACK,
    port = 0,
    ledgerFile = null,
    stateFolder = null,
    numbers = [],
    demoTemplate = false,
    now = Date.now,
    log = () => {},
    warn = log,
    ...settings
  } = options;
  const around = { ledgerFile, stateFolder, now, log, warn };
  const { sim, isNew } = openSimulation({ ...DEFAULT_SETTINGS, ...settings }, around);
  for (const phoneNumberId of numbers) sim.numbers.ensure(phoneNumberId);
  if (isNew && demoTemplate) addDemoTemplate(sim);
  const server = createSimulatorServer(sim);
  const takenPort = await listen(server, host, port).catch((error: unknown) => {
    // The state may be that of the simulator which has the port.
    release(sim);
    throw error;
  });
  if (isNew || sim.callbacks.pending > 0) sim.state?.changed();
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${takenPort}`,
    port: takenPort,
    async close() {
      await closeServer(server);
      end(sim);
    },
  };
}

type Surroundings = Required<Pick<SimulatorOptions, 'ledgerFile' | 'stateFolder' | 'now' | 'log' | 'warn'>>;

/** The simulation that an earlier run kept, or a new one. A state that cannot be used is moved out of the way. */
function openSimulation(
  settings: Settings,
  around: Surroundings,
): { readonly sim: Simulation; readonly isNew: boolean } {
  const sim = newSimulation(settings, around);
  const kept = sim.state?.read() ?? null;
  if (sim.state === null || kept === null) return { sim, isNew: true };
  try {
    applySnapshot(sim, kept);
    return { sim, isNew: false };
  } catch (error) {
    const aside = sim.state.setAside(around.now());
    const reason = error instanceof Error ? error.message : String(error);
    around.warn(
      `The simulator's state cannot be used (${reason}): it starts without one. The file is kept as ${aside}.`,
    );
    release(sim);
    return { sim: newSimulation(settings, around), isNew: true };
  }
}

function newSimulation(settings: Settings, { ledgerFile, stateFolder, now, log, warn }: Surroundings): Simulation {
  const clock = new Clock(now);
  const timers = new Timers();
  const customers = new Customers();
  const chaos = new ChaosEngine(timers);
  const stats = new Stats();
  const client = new CallbackClient();
  const ids = new WamidMaker();
  const accounts = new AccountRegistry();
  const figures = new FigureBook();
  const gateway = new Gateway();
  const folder = new TempFolder(stateFolder === null ? null : join(stateFolder, 'media'));
  const sim: Simulation = {
    settings,
    clock,
    timers,
    customers,
    business: new BusinessRegistry(),
    flows: new FlowRegistry(),
    figures,
    behaviors: new CustomerBehaviors(),
    pasts: new PhonePasts(),
    chaos,
    stats,
    client,
    log,
    state:
      stateFolder === null
        ? null
        : new StateFile(stateFolder, {
            timers,
            isAtRest: () => sim.callbacks.pending === 0,
            take: () => takeSnapshot(sim),
            complain: warn,
          }),
    ids,
    folder,
    media: new MediaStore(() => ids.mediaId(), folder),
    uploads: new UploadSessions(folder),
    mediaUrlEpoch: 0,
    templates: new TemplateStore(),
    review: DEFAULT_REVIEW,
    tokens: new TokenRegistry(),
    accounts,
    gateway,
    gatewayEvents: new GatewayEvents({ gateway, clock, timers, settings: () => sim.settings }),
    failures: new Failures(),
    ledger: new Ledger(ledgerFile),
    numbers: new NumberRegistry(),
    magic: new MagicCounters(),
    callbacks: new CallbackDispatcher(
      { clock, customers, chaos, stats, client, accounts, figures, settings: () => sim.settings },
      settings.flushMs,
    ),
  };
  return sim;
}

function end(sim: Simulation): void {
  sim.state?.close();
  release(sim);
}

function release(sim: Simulation): void {
  sim.gatewayEvents.reset();
  sim.callbacks.close();
  sim.timers.cancelAll();
  sim.ledger.close();
  sim.folder.remove();
}
