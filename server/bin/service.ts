import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { MemoryLocker } from '@tus/server';
import { openBlobStore, openPartialStore } from '#blobs/open-store';
import { makeCampaigner } from '#campaigner/campaigner';
import { makeDispatcher } from '#dispatcher/dispatcher';
import { makeHandleMaker } from '#dispatcher/handle-maker';
import { makeMediaCarrier, UPLOADS_AT_ONCE } from '#dispatcher/media-carrier';
import { buildApp, buildMetricsApp } from '#http/app';
import { makeKeylessBodyGuards } from '#http/plugins/body-guard';
import { OUTSIDE_LIMITS, STREAM_LIMITS, StreamSlots, WAIT_LIMITS } from '#http/streams/stream-slots';
import { makeContactImporter } from '#ingester/contact-importer';
import { makeIngester } from '#ingester/ingester';
import { makeMediaFetcher } from '#ingester/media-fetcher';
import { makeRecipientImporter } from '#ingester/recipient-importer';
import { makeRuleRunner } from '#ingester/rule-runner';
import { makeMaintenance } from '#maintenance/maintenance';
import { makeAccountClient } from '#network/account-client';
import { makeNetworkClient } from '#network/client';
import { makeMediaClient } from '#network/media-client';
import { makePaymentGateway } from '#network/payment-gateway';
import { makeSessionClient } from '#network/session-client';
import { makeSyslogClient } from '#network/syslog-client';
import { makeTemplateClient } from '#network/template-client';
import { makeNotifier } from '#notifier/notifier';
import { makeAcceptor } from '#operations/accept-message';
import { makeTokenBook } from '#operations/account-token';
import { applyPaymentEvent } from '#operations/apply-payment-event';
import { makeAuthenticator } from '#operations/authenticate';
import { makeBillingGate } from '#operations/billing-gate';
import type { DispatchDatabase } from '#operations/dispatch-database';
import { makeDoorbell } from '#operations/doorbell';
import { DueWork } from '#operations/due-work';
import { openEventLine } from '#operations/event-line';
import { EventWatch } from '#operations/event-watch';
import { CLOCK_BEAT_MS, makeClockWatch } from '#operations/follow-clock';
import { hoursOfNumberAt } from '#operations/hours-at';
import { type HistoryKeeper, MARK_MS, makeHistoryKeeper } from '#operations/keep-history';
import { type Bootstrap, bootstrapTenant, installationSecret } from '#operations/manage-tenants';
import { makeMediaBook } from '#operations/media-book';
import { makeMediaSource } from '#operations/media-source';
import { makeNumberBook } from '#operations/number-book';
import { openConnections, openDatabase, prepareDatabase, readMigrations } from '#operations/open-database';
import { OutcomeWatch } from '#operations/outcome-watch';
import { pauseRefused, type RefusedAccess } from '#operations/pause-number';
import { BEAT_MS, makeRateShare, type RateShare } from '#operations/rate-share';
import { makeCallbackRecorder } from '#operations/record-callback';
import { makeRuleBook } from '#operations/rule-book';
import { makeSchemaWatch } from '#operations/schema-watch';
import { makeSuppressionBook } from '#operations/suppression-book';
import { makeTemplateBook } from '#operations/template-book';
import { Loop } from '#queue/loop';
import { Slots } from '#queue/slots';
import { registerPaymentReceiver } from '#receiver/payment-receiver';
import { registerReceiver } from '#receiver/receiver';
import type { Config } from '#runtime/config';
import { ConfigError } from '#runtime/config';
import { openKeyring } from '#runtime/keyring';
import type { Runtime } from '#runtime/runtime';

/** What a process can do; all of them by default. */
export const ROLES = ['api', 'receiver', 'ingester', 'dispatcher', 'notifier', 'campaigner', 'maintenance'] as const;
export type Role = (typeof ROLES)[number];

/** A running service. */
export interface Service {
  readonly url: string;
  readonly db: DispatchDatabase;
  readonly bootstrap: Bootstrap | null;
  readonly migrated: readonly string[];
  /** Resolves with a sentence when a newer program has made the schema one that this program cannot work on. */
  readonly outdated: Promise<string>;
  /** Stops accepting, finishes what is in flight, gives the lanes back. */
  close(): Promise<void>;
}

/** Works from source and from dist alike: both lie as deep below the package as this file says. */
export function migrationsFolder(): string {
  const here = fileURLToPath(import.meta.url);
  const up = here.includes('/dist/') ? '../../migrations' : '../migrations';
  return fileURLToPath(new URL(up, import.meta.url));
}

export function readRoles(config: Config): ReadonlySet<Role> {
  const names = config.roles.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !ROLES.some((role) => role === name));
  if (unknown !== undefined) throw new ConfigError(`"${unknown}" is not a role; the roles are ${ROLES.join(', ')}.`);
  return new Set(names as Role[]);
}

/** How soon a process leaves that a migration has made unfit for work. */
const SCHEMA_LOOK_MS = 1_000;

/** Builds what the roles of this process need, and starts it. The only place that wires. */
export async function startService(rt: Runtime): Promise<Service> {
  const roles = readRoles(rt.config);
  const db = await openDatabase(rt);
  try {
    const migrations = readMigrations(migrationsFolder());
    const migrated = await prepareDatabase(rt, db, migrations);
    const history = makeHistoryKeeper(rt, db);
    await history.open();
    await openConnections(rt, db);
    const bootstrap =
      rt.config.bootstrapApiKey === '' ? null : await bootstrapTenant(rt, db, rt.config.bootstrapApiKey);
    const running = await startRoles(rt, db, roles, history);
    const schema = makeSchemaWatch(rt, db, migrations.at(-1)?.version ?? 0);
    const watching = new Loop(rt, SCHEMA_LOOK_MS, 'schema', schema.runOnce);
    // The embedded database has one process: nobody else changes its schema.
    if (db.kind === 'postgres') watching.start('later');
    const stops = [() => watching.stop(), ...running.stops];
    const { outdated } = schema;
    return { url: running.url, db, bootstrap, migrated, outdated, close: () => closeAll(rt, db, stops) };
  } catch (error) {
    await db.close().catch(() => undefined);
    throw error;
  }
}

type Stop = () => Promise<void>;

interface Running {
  readonly url: string;
  /** In the order in which they must stop. */
  readonly stops: readonly Stop[];
}

async function startRoles(
  rt: Runtime,
  db: DispatchDatabase,
  roles: ReadonlySet<Role>,
  history: HistoryKeeper,
): Promise<Running> {
  const parts = await openParts(rt, db);
  const workers = makeWorkers(parts, roles);
  const entrances = await makeEntrances(parts, roles, workers);
  const { app, metricsApp, rateShare, acceptor, recorder, doorbell, campaigner, rules } = entrances;
  const { dispatcher, handles, ingester, fetcher, importer, recipientImporter, notifier, maintenance } = workers;

  const closeLine = await openEventLine(rt, db);
  const clockLoop = new Loop(rt, CLOCK_BEAT_MS, 'clock', makeClockWatch(rt, db));
  const markLoop = new Loop(rt, MARK_MS, 'database_mark', history.mark);
  clockLoop.start();
  markLoop.start();
  const beats = roles.has('api') ? await startBeats(rt, db, rateShare) : null;
  await dispatcher?.start();
  ingester?.start();
  handles?.start();
  fetcher?.start();
  await notifier?.start();
  importer?.start();
  recipientImporter?.start();
  rules?.start();
  maintenance?.start();
  campaigner?.start();
  await app?.listen({ host: rt.config.host, port: rt.config.port });
  await metricsApp?.listen({ host: rt.config.host, port: rt.config.metricsPort });
  const address = app?.server.address() as AddressInfo | null | undefined;
  return {
    url: address ? `http://${hostInUrl(rt.config.host)}:${address.port}` : '',
    stops: [
      // Requests that wait for an outcome get their 202: nothing else would end them soon.
      async () => parts.watch.close(),
      async () => parts.eventWatch.close(),
      async () => void (await app?.close()),
      async () => void (await beats?.()),
      async () => void (await metricsApp?.close()),
      async () => void (await campaigner?.stop()),
      // Before the acceptor: it sends.
      async () => void (await rules?.stop()),
      () => acceptor.close(),
      () => recorder.close(),
      async () => void (await dispatcher?.stop()),
      async () => void (await ingester?.stop()),
      async () => void (await handles?.stop()),
      async () => void (await fetcher?.stop()),
      async () => void (await notifier?.stop()),
      async () => void (await importer?.stop()),
      async () => void (await recipientImporter?.stop()),
      async () => void (await maintenance?.stop()),
      () => doorbell.close(),
      () => clockLoop.stop(),
      () => markLoop.stop(),
      closeLine,
      () => parts.network.close(),
      () => parts.media.close(),
      () => parts.sessions.close(),
      () => parts.accounts.close(),
      () => parts.templateClient.close(),
      () => parts.blobs.close(),
    ],
  };
}

/** What every role may need: clients of the outside, stores, and the secrets of the installation. */
async function openParts(rt: Runtime, db: DispatchDatabase) {
  const { config } = rt;
  const keyring = openKeyring(config);
  const accounts = makeAccountClient(config);
  const tokens = makeTokenBook(rt, db, keyring);
  return {
    rt,
    db,
    due: new DueWork(rt, db),
    network: makeNetworkClient(config),
    media: makeMediaClient(config),
    sessions: makeSessionClient(config),
    payments: makePaymentGateway(config),
    accounts,
    keyring,
    blobs: openBlobStore(config),
    partials: openPartialStore(config),
    tokens,
    templateClient: makeTemplateClient(config),
    linking: { rt, db, accounts, keyring, stateKey: await installationSecret(db, 'link_key') },
    watch: new OutcomeWatch(),
    eventWatch: new EventWatch(rt),
    echoKey: await installationSecret(db, 'echo_key'),
    cursorKey: await installationSecret(db, 'cursor_key'),
  };
}

type Parts = Awaited<ReturnType<typeof openParts>>;

/** What works by itself, by the roles of this process; null: another process does it. Nothing is started yet. */
function makeWorkers(parts: Parts, roles: ReadonlySet<Role>) {
  const { rt, db, due, network, media, sessions, payments, blobs, partials, tokens, keyring, watch, echoKey } = parts;
  const onRefused = (refusal: RefusedAccess) => pauseRefused(rt, db, refusal);
  const uploads = new Slots(UPLOADS_AT_ONCE, rt.clock);
  const carry = makeMediaCarrier({ blobs, network: media, tokens, slots: uploads, onRefused });
  const source = makeMediaSource({ rt, db, carry });
  const sending = { rt, db, network, uploads, media: source, tokens, watch, echoKey };
  const templates = { rt, db, network: parts.templateClient, tokens };
  const housekeeping = { due, blobs, partials, payments, templates, logServer: makeSyslogClient(rt.config) };
  return {
    dispatcher: roles.has('dispatcher') ? makeDispatcher(sending) : null,
    handles: roles.has('dispatcher') ? makeHandleMaker({ rt, db, due, blobs, network: sessions }) : null,
    ingester: roles.has('ingester') ? makeIngester({ rt, db, due, echoKey, watch }) : null,
    fetcher: roles.has('ingester') ? makeMediaFetcher({ rt, db, due, blobs, network: media, tokens }) : null,
    notifier: roles.has('notifier') ? makeNotifier({ rt, db, keyring }) : null,
    importer: roles.has('ingester') ? makeContactImporter({ rt, db, due, blobs }) : null,
    recipientImporter: roles.has('ingester') ? makeRecipientImporter({ rt, db, due, blobs }) : null,
    maintenance: roles.has('maintenance') ? makeMaintenance(rt, db, housekeeping) : null,
  };
}

/** What others knock at, and what stores what they bring. */
async function makeEntrances(parts: Parts, roles: ReadonlySet<Role>, workers: ReturnType<typeof makeWorkers>) {
  const { rt, db, due, network, payments, blobs, partials, tokens, linking, watch, eventWatch, cursorKey } = parts;
  const { dispatcher, ingester } = workers;
  const doorbell = await makeDoorbell(rt, db, dispatcher?.wake ?? null);
  const checks = {
    rt,
    db,
    numbers: makeNumberBook(rt, db),
    suppressions: makeSuppressionBook(rt, db),
    media: makeMediaBook(rt, db),
    templates: makeTemplateBook(rt, db),
    gate: makeBillingGate(rt, db),
  };
  const acceptor = makeAcceptor({ ...checks, ring: doorbell.ring });
  const campaigner = roles.has('campaigner')
    ? makeCampaigner({ rt, db, due, acceptor, numbers: checks.numbers })
    : null;
  const rules = roles.has('ingester')
    ? makeRuleRunner({ rt, db, due, acceptor, book: makeRuleBook(), hoursAt: hoursOfNumberAt })
    : null;
  const recorder = makeCallbackRecorder(rt, db, (callback) => ingester?.offer(callback));
  const rateShare = makeRateShare(rt, db);
  const stores = { blobs, partials, uploadLocks: new MemoryLocker() };
  const templates = { rt, db, network: parts.templateClient, tokens };
  const told = {
    watch,
    eventWatch,
    streams: new StreamSlots(STREAM_LIMITS),
    waits: new StreamSlots(WAIT_LIMITS),
    outside: new StreamSlots(OUTSIDE_LIMITS),
    rateShare,
    tellRead: network.markRead,
    tokens,
    linking,
    payments,
    templates,
  };
  const authenticator = makeAuthenticator(rt, db);
  const deps = { rt, db, acceptor, checks, authenticator, ...stores, ...told, cursorKey };
  const app = roles.has('api') || roles.has('receiver') ? buildApp(deps, { api: roles.has('api') }) : null;
  if (app && roles.has('receiver')) {
    const guards = makeKeylessBodyGuards(rt);
    registerReceiver(app, { rt, recorder, guard: guards.callbacks });
    registerPaymentReceiver(app, { rt, apply: (event) => applyPaymentEvent(rt, db, event), guard: guards.payments });
  }
  const metricsApp = rt.config.metricsPort === 0 ? null : buildMetricsApp(deps);
  return { doorbell, acceptor, campaigner, rules, recorder, rateShare, app, metricsApp };
}

/** Takes the share of this process in the rate limits before its first request, and keeps it until it is stopped. */
async function startBeats(rt: Runtime, db: DispatchDatabase, share: RateShare): Promise<Stop | null> {
  if (db.kind === 'pglite') return null;
  await share.runOnce();
  const loop = new Loop(rt, BEAT_MS, 'rate_share', share.runOnce);
  loop.start();
  return async () => {
    await loop.stop();
    await share.leave();
  };
}

function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

async function closeAll(rt: Runtime, db: DispatchDatabase, stops: readonly Stop[]): Promise<void> {
  for (const stop of stops) {
    await stop().catch((error: Error) => rt.log.warn({ error: error.message }, 'service.stop_failed'));
  }
  await db.close();
}
