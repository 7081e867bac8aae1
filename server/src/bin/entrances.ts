import { fileURLToPath } from 'node:url';
import { MemoryLocker } from '@tus/server';
import type { FastifyInstance } from 'fastify';
import { makeAuthenticator } from '#access/actions/authenticate';
import { makeRateShare } from '#access/actions/rate-share';
import { makeNumberCache } from '#accounts/actions/number-cache';
import { hoursOfNumberAt } from '#agents/actions/business-hours-status';
import { applyPaymentEvent } from '#billing/actions/apply-payment-event';
import { makeBillingGate } from '#billing/actions/billing-gate';
import { makeCampaigner } from '#campaigns/workers/campaigner';
import { makeSuppressionCache } from '#contacts/actions/suppression-cache';
import { type AgentSend, sendAsAgent } from '#conversations/actions/send-as-agent';
import type { JsonObject } from '#core/json';
import type { Database } from '#database/database';
import type { HttpDeps } from '#http/deps';
import { makeKeylessBodyGuards } from '#http/plugins/body-guard';
import { installConsole } from '#http/plugins/console';
import { OUTSIDE_LIMITS, STREAM_LIMITS, StreamSlots, WAIT_LIMITS } from '#http/slots/stream-slots';
import { makeCallbackRecorder } from '#inbound/actions/record-callback';
import { registerPaymentReceiver } from '#inbound/workers/payment-receiver';
import { registerReceiver } from '#inbound/workers/receiver';
import { makeMediaCache } from '#media/actions/media-cache';
import { makeAcceptor } from '#messages/actions/accept-message';
import { makeLaneNotifier } from '#messages/actions/lane-notifier';
import { forgetAgent } from '#notifications/actions/forget-agent';
import { makeRuleCache } from '#rules/actions/rule-cache';
import { makeRuleRunner } from '#rules/workers/rule-runner';
import type { Runtime } from '#runtime/runtime';
import { serviceVersion } from '#runtime/version';
import { makeTemplateCache } from '#templates/actions/template-cache';
import { makeSessionAuthenticator } from '#users/actions/authenticate-session';
import { makePasswordHasher } from '#users/actions/password-hasher';
import { makeVerifyEndpoint } from '#webhooks/workers/verify-endpoint';
import { buildApp, buildMetricsApp } from './app.ts';
import { exampleEvent } from './event-catalogue.ts';
import type { Role } from './roles.ts';
import type { CellPlace } from './served-cells.ts';
import type { Parts, Workers } from './service.ts';

/** Where the build puts the console. */
function consoleFolder(): string {
  return fileURLToPath(new URL('../../../console/dist', import.meta.url));
}

/** What others knock at, and what stores what they bring. */
export async function makeEntrances(
  parts: Parts,
  {
    roles,
    recordWith = (own) => own,
    applyWith = (own) => own,
    ...place
  }: CellPlace & { readonly roles: ReadonlySet<Role> },
  { dispatcher, ingester }: Pick<Workers, 'dispatcher' | 'ingester'>,
) {
  const { rt, db, due } = parts;
  const laneNotifier = await makeLaneNotifier(rt, db, dispatcher?.wake ?? null);
  const checks = makeSendChecks(rt, db);
  const acceptor = makeAcceptor({ ...checks, notifyLane: laneNotifier.notifyLane });
  const campaigner = roles.has('campaigner')
    ? makeCampaigner({ rt, db, due, acceptor, numbers: checks.numbers })
    : null;
  const rules = roles.has('ingester')
    ? makeRuleRunner({ rt, db, due, acceptor, ruleCache: makeRuleCache(), hoursAt: hoursOfNumberAt })
    : null;
  const recorder = makeCallbackRecorder(rt, db, (callback) => ingester?.offer(callback));
  const applyPayment = (event: JsonObject) => applyPaymentEvent(rt, db, event);
  const rateShare = makeRateShare(rt, db);
  const deps = routeDeps(parts, { acceptor, checks, rateShare, cellReport: place.cellReport });
  const app = roles.has('api') || roles.has('receiver') ? buildApp(deps, { api: roles.has('api') }) : null;
  if (app && roles.has('api')) serveConsole(parts, app);
  if (app && roles.has('receiver')) {
    const guards = makeKeylessBodyGuards(rt);
    registerReceiver(app, { rt, recorder: recordWith(recorder), guard: guards.callbacks });
    registerPaymentReceiver(app, { rt, apply: applyWith(applyPayment), guard: guards.payments });
  }
  const metricsApp = rt.config.metricsPort === 0 ? null : buildMetricsApp(deps);
  return { laneNotifier, acceptor, campaigner, rules, recorder, applyPayment, rateShare, app, metricsApp };
}

/** What is looked at before a message is accepted, from memory. */
function makeSendChecks(rt: Runtime, db: Database) {
  return {
    rt,
    db,
    numbers: makeNumberCache(rt, db),
    suppressions: makeSuppressionCache(rt, db),
    media: makeMediaCache(rt, db),
    templates: makeTemplateCache(rt, db),
    gate: makeBillingGate(rt, db),
  };
}

/** What the routes are handed. */
function routeDeps(
  parts: Parts,
  made: Pick<HttpDeps, 'rateShare' | 'cellReport'> & {
    readonly acceptor: ReturnType<typeof makeAcceptor>;
    readonly checks: ReturnType<typeof makeSendChecks>;
  },
) {
  const { rt, db, tokens, linking } = parts;
  return {
    ...made,
    rt,
    db,
    authenticator: makeAuthenticator(rt, db),
    sessionAuthenticator: makeSessionAuthenticator(rt, db),
    blobs: parts.blobs,
    partials: parts.partials,
    uploadLocks: new MemoryLocker(),
    watch: parts.watch,
    eventWatch: parts.eventWatch,
    signals: parts.signals,
    pushPublicKey: parts.pushKey.publicKey,
    streams: new StreamSlots(STREAM_LIMITS),
    waits: new StreamSlots(WAIT_LIMITS),
    outside: new StreamSlots(OUTSIDE_LIMITS),
    sendReadReceipt: parts.network.markRead,
    sendAsAgent: (send: AgentSend) => sendAsAgent({ rt, db, acceptor: made.acceptor }, send),
    tokens,
    linking,
    sso: { keyring: parts.keyring, providers: parts.providers },
    payments: parts.payments,
    phone: parts.phone,
    mailer: parts.mailer,
    templates: { rt, db, network: parts.templateClient, tokens },
    business: { rt, db, network: parts.businessClient, tokens },
    flows: { rt, db, network: parts.flowClient, tokens },
    figures: { db, network: parts.figuresClient, tokens },
    unassign: forgetAgent,
    verifyEndpoint: makeVerifyEndpoint(rt, parts.verifyPoster),
    exampleEvent,
    people: { rt, db, keyring: linking.keyring, passwords: makePasswordHasher() },
    cursorKey: parts.cursorKey,
  };
}

function serveConsole({ rt, mailer }: Parts, app: FastifyInstance): void {
  const folder = rt.config.console === 'on' ? consoleFolder() : null;
  installConsole(app, { folder, version: serviceVersion(), sendsMail: mailer !== null });
}
