/** The payment gateway's addresses: `/v1/…` for programs, `/c/pay/…` for people. */
import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Simulation } from '../simulation.ts';
import { createCustomer, createPrice, createProduct, updateCustomer } from './catalogue.ts';
import { createCheckout, expireCheckout, findCheckout, presentCheckout } from './checkout.ts';
import { GATEWAY_VERSION } from './events.ts';
import { type FormObject, parseForm, textIn } from './form.ts';
import type { GatewayObject } from './gateway.ts';
import { GatewayFault, missing } from './gateway-fault.ts';
import { handlePayPage, PAY_PATH } from './pay-page.ts';
import { createRefund } from './refunds.ts';
import { cancelSubscription, createSubscription, updateSubscription } from './subscriptions.ts';

const API_PATH = '/v1/';
const SERVER_FAULT = 500;
const MAX_KEY = 255;
const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 100;

export type GatewayCall = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: string;
  readonly text: string;
};

type Answer = { readonly status: number; readonly body: string; readonly replayed: boolean };

/** Collections by path: the kind of their objects, and what can be done. */
type Collection = {
  readonly kind: string;
  readonly create?: (sim: Simulation, form: FormObject, host: string) => GatewayObject;
  readonly update?: (sim: Simulation, form: FormObject, object: GatewayObject) => GatewayObject;
  readonly remove?: (sim: Simulation, object: GatewayObject) => GatewayObject;
  /** Parameters that a list can be narrowed by. */
  readonly filters?: readonly string[];
};

const COLLECTIONS: Readonly<Record<string, Collection>> = {
  customers: { kind: 'customer', create: createCustomer, update: updateCustomer, filters: ['email'] },
  products: { kind: 'product', create: createProduct, filters: [] },
  prices: { kind: 'price', create: (sim, form) => createPrice(sim, form), filters: ['product', 'currency', 'type'] },
  'checkout/sessions': {
    kind: 'checkout.session',
    create: createCheckout,
    filters: ['customer', 'status', 'subscription'],
  },
  subscriptions: {
    kind: 'subscription',
    create: createSubscription,
    update: updateSubscription,
    remove: cancelSubscription,
    filters: ['customer', 'status'],
  },
  charges: { kind: 'charge', filters: ['customer', 'payment_intent'] },
  refunds: { kind: 'refund', create: createRefund, filters: ['charge', 'payment_intent'] },
  payment_intents: { kind: 'payment_intent', filters: ['customer'] },
  invoices: { kind: 'invoice', filters: ['customer', 'status'] },
  events: { kind: 'event', filters: ['type'] },
};

/** True for the addresses of the gateway. */
export function isGatewayPath(url: string): boolean {
  return url.startsWith(API_PATH) || url.startsWith(PAY_PATH);
}

/** Answers one request to the gateway. */
export function handleGateway(sim: Simulation, call: GatewayCall): void {
  if (call.url.startsWith(PAY_PATH)) {
    handlePayPage(sim, call);
    return;
  }
  const failure = sim.failures.take('gateway');
  if (failure?.kind === 'cut') call.response.destroy();
  else if (failure !== null)
    write(call, fault(new GatewayFault(failure.httpStatus ?? SERVER_FAULT, 'api_error', 'An error was ordered.')));
  else write(call, answerOnce(sim, call));
}

/** The same key with the same request is answered the same, with another one it is refused. */
function answerOnce(sim: Simulation, call: GatewayCall): Answer {
  const key = call.request.headers['idempotency-key'];
  if (call.request.method !== 'POST' || typeof key !== 'string') return run(sim, call);
  const fingerprint = createHash('sha256').update(`${call.url}\n${call.text}`).digest('hex');
  const nowMs = sim.clock.now();
  const replay = sim.gateway.replayOf(key, nowMs);
  if (replay !== null && replay.fingerprint === fingerprint)
    return { status: replay.status, body: replay.body, replayed: true };
  if (replay !== null || key.length > MAX_KEY) {
    const sentence =
      'Keys for idempotent requests can only be used with the same parameters they were first used with.';
    return fault(new GatewayFault(400, 'idempotency_error', sentence));
  }
  const answer = run(sim, call);
  // A refused login did nothing, so that its key stays free.
  if (answer.status !== 401)
    sim.gateway.remember(key, { fingerprint, status: answer.status, body: answer.body, atMs: nowMs });
  return answer;
}

function run(sim: Simulation, call: GatewayCall): Answer {
  try {
    requireKey(sim, call.request);
    return { status: 200, body: JSON.stringify(perform(sim, call)), replayed: false };
  } catch (error) {
    if (error instanceof GatewayFault) return fault(error);
    sim.log(`gateway request failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return fault(new GatewayFault(SERVER_FAULT, 'api_error', 'The simulator failed to handle this request.'));
  }
}

function requireKey(sim: Simulation, request: IncomingMessage): void {
  const header = request.headers.authorization ?? '';
  const [, scheme, value = ''] = /^(Bearer|Basic) +(\S+)$/i.exec(header) ?? [];
  const key = scheme?.toLowerCase() === 'basic' ? Buffer.from(value, 'base64').toString().split(':', 1)[0] : value;
  if (!key) throw new GatewayFault(401, 'invalid_request_error', 'You did not provide an API key.');
  if (sim.settings.gatewayKey === null || key === sim.settings.gatewayKey) return;
  throw new GatewayFault(401, 'invalid_request_error', `Invalid API Key provided: ${key.slice(0, 7)}***`);
}

function perform(sim: Simulation, { request, url, text }: GatewayCall): unknown {
  const [path = '', query = ''] = url.slice(API_PATH.length).split('?', 2);
  const method = request.method ?? 'GET';
  const name = Object.keys(COLLECTIONS).find((one) => path === one || path.startsWith(`${one}/`));
  const collection = name === undefined ? undefined : COLLECTIONS[name];
  if (name === undefined || collection === undefined) throw unknownAddress(method, url);
  const form = parseForm(method === 'POST' ? text : query);
  const [id, action] = path.slice(name.length + 1).split('/');
  if (!id) {
    if (method === 'GET') return listOf(sim, collection, form, url);
    if (method !== 'POST' || collection.create === undefined) throw unknownAddress(method, url);
    return shown(sim, collection.create(sim, form, request.headers.host ?? '127.0.0.1'), form);
  }
  return shown(sim, actOn(sim, { method, url, collection, form, id, action: action ?? '' }), form);
}

type Act = {
  readonly method: string;
  readonly url: string;
  readonly collection: Collection;
  readonly form: FormObject;
  readonly id: string;
  readonly action: string;
};

function actOn(sim: Simulation, { method, url, collection, form, id, action }: Act): GatewayObject {
  if (collection.kind === 'checkout.session') {
    const session = findCheckout(sim, id);
    if (method === 'POST' && action === 'expire') return expireCheckout(sim, session);
    if (method === 'GET' && action === 'line_items') return presentCheckout(session, true).line_items as GatewayObject;
  }
  const object = sim.gateway.find(collection.kind, id);
  if (object === null) throw missing(collection.kind, id);
  if (action === '' && method === 'GET') return object;
  if (action === '' && method === 'POST' && collection.update !== undefined)
    return collection.update(sim, form, object);
  if (action === '' && method === 'DELETE' && collection.remove !== undefined) return collection.remove(sim, object);
  throw unknownAddress(method, url);
}

function listOf(sim: Simulation, { kind, filters = [] }: Collection, form: FormObject, url: string): unknown {
  const keys: unknown = form.lookup_keys;
  const all = sim.gateway
    .list(kind)
    .filter((object) =>
      filters.every((name) => form[name] === undefined || object[name] === form[name] || form[name] === 'all'),
    )
    .filter((object) => !Array.isArray(keys) || keys.includes(object.lookup_key));
  const after = textIn(form, 'starting_after');
  const start = after === null ? 0 : all.findIndex((object) => object.id === after) + 1;
  const limit = Math.min(Number(textIn(form, 'limit') ?? DEFAULT_LIMIT) || DEFAULT_LIMIT, MAX_LIMIT);
  const data = all.slice(start, start + limit).map((object) => shown(sim, object, {}));
  return { object: 'list', data, has_more: start + limit < all.length, url: url.split('?', 1)[0] };
}

/** The object with what `expand` asks for in the place of ids, one level deep. */
function shown(sim: Simulation, object: GatewayObject, form: FormObject): unknown {
  const wanted: readonly unknown[] = Array.isArray(form.expand) ? form.expand : [];
  const whole = object.object === 'checkout.session' ? presentCheckout(object, wanted.includes('line_items')) : object;
  const expanded = wanted.flatMap((name): readonly (readonly [string, GatewayObject])[] => {
    const inner = typeof name === 'string' && typeof whole[name] === 'string' ? sim.gateway.any(whole[name]) : null;
    return inner === null ? [] : [[String(name), inner]];
  });
  return { ...whole, ...Object.fromEntries(expanded) };
}

function unknownAddress(method: string, url: string): GatewayFault {
  return new GatewayFault(
    404,
    'invalid_request_error',
    `Unrecognized request URL (${method}: ${url.split('?', 1)[0]}).`,
  );
}

function fault(error: GatewayFault): Answer {
  return { status: error.status, body: JSON.stringify(error.body), replayed: false };
}

function write({ request, response }: GatewayCall, { status, body, replayed }: Answer): void {
  const key = request.headers['idempotency-key'];
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'Request-Id': `req_${randomUUID().replaceAll('-', '').slice(0, 14)}`,
    'Stripe-Version': String(request.headers['stripe-version'] ?? GATEWAY_VERSION),
    ...(typeof key === 'string' ? { 'Idempotency-Key': key } : {}),
    ...(replayed ? { 'Idempotent-Replayed': 'true' } : {}),
  });
  response.end(body);
}
