/*
 * What every runtime must be able to do with the library, against a running service with its simulated network. It uses
 * nothing but the library and what all runtimes have. POSTRIDER_BASE_URL and POSTRIDER_API_KEY name the service.
 */
import {
  AuthenticationError,
  ConnectionError,
  NotFoundError,
  Postrider,
  template,
  unwrapWebhook,
  WebhookSignatureError,
} from '@postrider/sdk';

const pr = new Postrider();
/** Tells this run apart from others against the same service. */
const run = `run-${Math.random().toString(36).slice(2)}`;
const order = template('order_ready', 'en_US', { variables: { first_name: 'Ada', order_no: 'A-17' } });

const checks = {
  'calls, and hands out the response': async () => {
    const made = await pr.teams.create({ name: run });
    const { data, response, requestId } = await pr.teams.get(made.id).withResponse();
    same([data.name, response.status, typeof requestId], [run, 200, 'string']);
  },

  'tries a call again with the same key, so that it takes effect once': async () => {
    const keys = [];
    const losing = async (url, init) => {
      keys.push(init.headers['idempotency-key']);
      const response = await fetch(url, init);
      if (keys.length > 1) return response;
      await response.text();
      throw new TypeError('The answer got lost.');
    };
    const once = new Postrider({ fetch: losing });
    const body = { to: '+44 7700 900123', type: 'template', template: order, client_ref: run };
    const { isReplay } = await once.messages.send(body).withResponse();
    const { data } = await pr.messages.listOutbound({ client_ref: run });
    same([isReplay, keys.length, keys[0] === keys[1], data.length], [true, 2, true, 1]);
  },

  'walks through the pages of a list': async () => {
    for (const name of ['a', 'b', 'c']) await pr.teams.create({ name: `${run} ${name}` });
    const names = [];
    for await (const { name } of pr.teams.list({ limit: 2 })) if (name.startsWith(`${run} `)) names.push(name.at(-1));
    same(names, ['c', 'b', 'a']);
  },

  'waits for a message to be delivered': async () => {
    const { id } = await pr.messages.send({ to: '+44 7700 900124', type: 'template', template: order });
    const { delivery } = await pr.messages.wait(id, { until: 'delivered', timeoutMs: 30_000 });
    same(typeof delivery.delivered_at, 'string');
  },

  'follows events over a connection that breaks, without a gap': async () => {
    let connections = 0;
    const breaking = async (url, init) => {
      const response = await fetch(url, init);
      connections += 1;
      return connections > 1
        ? response
        : new Response(breakingAfterAnEvent(response.body), { status: response.status });
    };
    const states = [];
    const stream = new Postrider({ fetch: breaking }).events.stream({
      types: ['team.created'],
      onState: (state) => void states.push(state),
      onCursor: () => record(),
    });
    const recorded = ['1', '2', '3'].map((name) => `${run} event ${name}`);
    const left = [...recorded];
    const record = async () => {
      const name = left.shift();
      if (name !== undefined) await pr.teams.create({ name });
    };
    const seen = [];
    for await (const { data } of stream) {
      if (data.name.startsWith(run)) seen.push(data.name);
      if (seen.length === recorded.length) break;
    }
    same([seen, states], [recorded, ['open', 'reconnecting', 'open']]);
  },

  'verifies webhooks': async () => {
    const [id, timestamp, body] = ['evt', String(Math.floor(Date.now() / 1000)), '{"id":"evt","type":"team.created"}'];
    const secret = btoa('0123456789abcdef0123456789abcdef');
    const bytes = Uint8Array.from(atob(secret), (character) => character.charCodeAt(0));
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign']);
    const mac = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(`${id}.${timestamp}.${body}`));
    const signature = `v1,${btoa(String.fromCharCode(...new Uint8Array(mac)))}`;
    const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
    const event = await unwrapWebhook(body, new Headers(headers), `whsec_${secret}`);
    const forged = await thrown(() => unwrapWebhook(`${body} `, headers, `whsec_${secret}`));
    same([event.type, forged instanceof WebhookSignatureError], ['team.created', true]);
  },

  'throws errors by class, with a code': async () => {
    const missing = await thrown(() => pr.messages.get('0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01'));
    const wrong = new Postrider({ apiKey: 'pr_test_wrong' });
    const refused = await thrown(() => wrong.teams.list());
    const away = new Postrider({ baseUrl: 'http://127.0.0.1:9', maxRetries: 0 });
    const broken = await thrown(() => away.teams.list());
    same([missing instanceof NotFoundError, missing.code, missing.status], [true, 'not_found', 404]);
    same([refused instanceof AuthenticationError, refused.code], [true, 'unauthorized']);
    same([broken instanceof ConnectionError, broken.code], [true, 'connection_failed']);
  },

  'ends a call by a signal and after a time': async () => {
    const hanging = (_url, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const slow = new Postrider({ fetch: hanging, maxRetries: 0 });
    const late = await thrown(() => slow.teams.list({}, { timeoutMs: 20 }));
    const reason = new Error('Enough.');
    const ended = await thrown(() => slow.teams.list({}, { signal: AbortSignal.abort(reason) }));
    same([late.code, ended === reason], ['timed_out', true]);
  },

  'uploads a file and downloads it': async () => {
    const file = new File([`Invoice of ${run}`], 'invoice.txt', { type: 'text/plain' });
    const { media_id } = await pr.media.upload({ file });
    const content = await pr.media.getContent(media_id);
    same(await content.text(), `Invoice of ${run}`);
  },
};

/** Passes on a stream of events, and breaks before the next thing that comes after an event. */
function breakingAfterAnEvent(body) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  return new ReadableStream({
    async pull(controller) {
      if (/\ndata: .*\n\n/.test(text)) {
        await reader.cancel();
        controller.error(new TypeError('The connection broke.'));
        return;
      }
      const { done, value } = await reader.read();
      if (done) return controller.close();
      text += decoder.decode(value, { stream: true });
      controller.enqueue(value);
    },
  });
}

async function thrown(work) {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error('It was expected to fail.');
}

function same(actual, expected) {
  const [got, wanted] = [actual, expected].map((value) => JSON.stringify(value));
  if (got !== wanted) throw new Error(`Expected ${wanted}, got ${got}.`);
}

for (const [what, check] of Object.entries(checks)) {
  try {
    await check();
  } catch (error) {
    throw new Error(`It does not hold that it ${what}.`, { cause: error });
  }
  console.log(`  ${what}`);
}
console.log(`All ${Object.keys(checks).length} checks have passed.`);
