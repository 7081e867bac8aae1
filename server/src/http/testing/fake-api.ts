import { MemoryLocker } from '@tus/server';
import type { FastifyInstance } from 'fastify';
import { WHOLE_RATE } from '#access/actions/rate-share';
import type { NumberCache } from '#accounts/actions/number-cache';
import type { AccountNetwork } from '#accounts/domain/account-network';
import type { FiguresNetwork } from '#analytics/domain/network-figures';
import type { BillingGate } from '#billing/actions/billing-gate';
import { buildApp } from '#bin/app';
import { exampleEvent } from '#bin/event-catalogue';
import type { BlobStore } from '#blobs/blob-store';
import type { PartialStore } from '#blobs/partial-store';
import type { BusinessNetwork } from '#business/domain/business-network';
import type { SuppressionCache } from '#contacts/actions/suppression-cache';
import type { IdempotencyClaim } from '#core/caller/idempotency-claim';
import type { Authenticator, Principal } from '#core/caller/principal';
import type { KeyId, MessageId, TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { EventWaiters } from '#events/actions/event-waiters';
import { SignalHub } from '#events/actions/signal-hub';
import type { FlowNetwork } from '#flows/domain/flow-network';
import type { HttpDeps } from '#http/deps';
import { OUTSIDE_LIMITS, STREAM_LIMITS, StreamSlots, WAIT_LIMITS } from '#http/slots/stream-slots';
import type { AcceptOutcome, MessageAcceptor, SendRequest } from '#messages/actions/accept-message';
import { OutcomeWaiters } from '#messages/actions/outcome-waiters';
import { emptyMediaCache } from '#messages/domain/media-lookup';
import { readConfig } from '#runtime/config';
import type { Keyring } from '#runtime/keyring';
import { silentLog } from '#runtime/log';
import { makeRuntime, type Runtime } from '#runtime/runtime';
import type { TemplateCache } from '#templates/actions/template-cache';
import type { TemplateNetwork } from '#templates/domain/network';
import { sharedToken } from '#testing/shared-token';
import { makePasswordHasher } from '#users/actions/password-hasher';

/** The API over fakes, for tests of what HTTP itself does: no database, and an acceptor that remembers its calls. */
export interface FakeApi {
  readonly app: FastifyInstance;
  readonly deps: HttpDeps;
  /** What reached the acceptor, in order. */
  readonly accepted: {
    readonly tenantId: TenantId;
    readonly request: SendRequest;
    readonly claim: IdempotencyClaim | null;
  }[];
  /** Replaces the acceptor's answer. */
  answerWith(accept: () => Promise<AcceptOutcome>): void;
}

export const tenantId = '0190a6f2-0000-7000-8000-000000000001' as TenantId;
export const messageId = '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01' as MessageId;
export const authorization = 'Bearer full-access-key-000001';
export const readOnly = 'Bearer read-only-key-00000001';
export const testKey = 'Bearer test-key-0000000000001';
export const slowKey = 'Bearer key-looked-up-in-the-database';
export const brokenKey = 'Bearer key-while-the-database-is-away';

const full: Principal = {
  tenantId,
  keyId: 'k1' as KeyId,
  session: null,
  mode: 'live',
  scopes: [],
  ratePerSecond: null,
  refusal: null,
  agentId: null,
  allowedIps: [],
  networks: [],
  phoneNumberIds: [],
};

function fakeAuthenticator(lookupFailure: Error): Authenticator {
  return {
    authenticate: (key) => {
      if (authorization.endsWith(key)) return full;
      if (readOnly.endsWith(key)) return { ...full, scopes: ['messages:read'] };
      if (testKey.endsWith(key)) return { ...full, mode: 'test' };
      if (slowKey.endsWith(key)) return Promise.resolve(full);
      if (brokenKey.endsWith(key)) return Promise.reject(lookupFailure);
      return null;
    },
  };
}

/** A media store that no test of this folder may reach. */
function unreachableStore(): BlobStore {
  return new Proxy({} as BlobStore, {
    get: (_target, property) => {
      throw new Error(`A test over fakes reached the media store (${String(property)}).`);
    },
  });
}

/** A database that no test of this folder may reach: what reads it is replaced by the test. */
function unreachableDatabase(): Database {
  return new Proxy({} as Database, {
    get: (_target, property) => {
      throw new Error(`A test over fakes reached the database (${String(property)}).`);
    },
  });
}

const unaskedNumbers: NumberCache = {
  of: () => {
    throw new Error('A test over fakes asked for the numbers of a tenant.');
  },
};

const noSuppressions: SuppressionCache = { of: () => ({ problem: () => null }) };

const unaskedGate: BillingGate = {
  of: () => {
    throw new Error('A test over fakes asked for the billing gate of a tenant.');
  },
};

const unaskedTemplates: TemplateCache = {
  of: () => {
    throw new Error('A test over fakes asked for the templates of a tenant.');
  },
};

/** A network that no test of this folder may reach. */
function unreachableNetwork(): AccountNetwork {
  return unreachableStore() as unknown as AccountNetwork;
}

const noKeys: Keyring = { current: () => null, find: () => null, renew: () => false };

/** A quick machine asks more often within a second than any limit of requests allows: only their own tests set them. */
const NO_RATES = { MESSAGING_API_RATE: '0', MESSAGING_API_TENANT_RATE: '0', MESSAGING_WRONG_KEY_RATE: '0' } as const;

/** Nobody signs in at a provider in tests of the API alone. */
const noProviders: HttpDeps['sso']['providers'] = {
  issuerFault: () => null,
  signInUrl: () => Promise.reject(new Error('No provider is asked here.')),
  readPerson: () => Promise.reject(new Error('No provider is asked here.')),
  readLogout: () => Promise.reject(new Error('No provider is asked here.')),
  describe: () => Promise.reject(new Error('No provider is asked here.')),
};

/** Builds the API over fakes, without limits of requests. `settings` are keys of the environment. */
export function fakeApi(
  options: {
    readonly settings?: Readonly<Record<string, string>>;
    readonly rt?: Runtime;
    readonly lookupFailure?: Error;
    readonly blobs?: BlobStore;
  } = {},
): FakeApi {
  const accepted: FakeApi['accepted'] = [];
  let answer: (() => Promise<AcceptOutcome>) | null = null;
  const acceptor: MessageAcceptor = {
    accept: async (tenant, request, claim) => {
      accepted.push({ tenantId: tenant, request, claim });
      if (answer) return answer();
      const response = { id: messageId, status: 'queued', type: 'text', to: '447700900123' } as const;
      return { kind: 'accepted', response, warnings: [] };
    },
    acceptWith: ({ tenantId: tenant, request, idempotency }) => acceptor.accept(tenant, request, idempotency),
    isBacklogged: () => false,
    close: async () => undefined,
  };
  const rt =
    options.rt ?? makeRuntime(readConfig({ ...NO_RATES, ...options.settings }), silentLog, undefined, () => 0.5);
  const db = unreachableDatabase();
  const deps: HttpDeps = {
    rt,
    db,
    acceptor,
    checks: {
      rt,
      db,
      media: emptyMediaCache,
      numbers: unaskedNumbers,
      gate: unaskedGate,
      templates: unaskedTemplates,
      suppressions: noSuppressions,
    },
    unassign: async () => false,
    verifyEndpoint: async () => null,
    exampleEvent,
    watch: new OutcomeWaiters(),
    eventWatch: new EventWaiters(rt),
    signals: new SignalHub(rt),
    pushPublicKey: '',
    streams: new StreamSlots(STREAM_LIMITS),
    waits: new StreamSlots(WAIT_LIMITS),
    outside: new StreamSlots(OUTSIDE_LIMITS),
    sendReadReceipt: async () => ({ kind: 'done' }),
    sendAsAgent: ({ tenantId, request, claim }) => acceptor.accept(tenantId, request, claim),
    payments: null,
    tokens: sharedToken,
    sso: { keyring: noKeys, providers: noProviders },
    linking: { rt, db, accounts: unreachableNetwork(), keyring: noKeys, stateKey: 'a key for states' },
    people: { rt, db, keyring: noKeys, passwords: makePasswordHasher() },
    business: { rt, db, network: unreachableStore() as unknown as BusinessNetwork, tokens: sharedToken },
    figures: { db, network: unreachableStore() as unknown as FiguresNetwork, tokens: sharedToken },
    flows: { rt, db, network: unreachableStore() as unknown as FlowNetwork, tokens: sharedToken },
    templates: { rt, db, network: unreachableStore() as unknown as TemplateNetwork, tokens: sharedToken },
    rateShare: WHOLE_RATE,
    sessionAuthenticator: { authenticate: () => null },
    authenticator: fakeAuthenticator(options.lookupFailure ?? new Error('lookup failed')),
    blobs: options.blobs ?? unreachableStore(),
    partials: unreachableStore() as unknown as PartialStore,
    uploadLocks: new MemoryLocker(),
    mailer: null,
    phone: null,
    cursorKey: 'a key for cursors',
  };
  const answerWith = (accept: () => Promise<AcceptOutcome>): void => {
    answer = accept;
  };
  return { app: buildApp(deps), deps, accepted, answerWith };
}
