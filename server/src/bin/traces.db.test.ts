import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type CollectedSpan,
  type HeaderProxy,
  type SpanCollector,
  startHeaderProxy,
  startSpanCollector,
} from '#testing/span-collector';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant } from '#testing/test-tenant';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const GIVEN = `00-${TRACE_ID}-b7ad6b7169203331-01`;

let collector: SpanCollector;
let network: HeaderProxy;
let receiver: HeaderProxy;
let kit: TestService | null = null;

beforeEach(async () => {
  [collector, network, receiver] = await Promise.all([startSpanCollector(), startHeaderProxy(), startHeaderProxy()]);
});
afterEach(async () => {
  await kit?.close();
  kit = null;
  await Promise.all([collector.close(), network.close(), receiver.close()]);
});

/** Sends a message and waits until it was read and its events were delivered; then the service stops. */
async function sendOnce({ traces, traceparent }: { readonly traces: boolean; readonly traceparent?: string }) {
  const settings = traces ? { traceEndpoint: collector.url, traceHeaders: 'x-team=a%20b' } : {};
  kit = await startTestService({ config: { ...settings, networkUrl: network.url, webhookAllow: '127.0.0.1' } });
  network.target = kit.sim.url;
  const tenant = await makeTestTenant(kit);
  const endpoint = { url: `${receiver.url}/hook`, types: ['message.read'] };
  expect((await tenant.call('POST', '/v1/webhook-endpoints', endpoint)).status).toBe(201);
  const to = freshPhone();
  const headers: Record<string, string> = traceparent === undefined ? {} : { traceparent };
  const sent = await tenant.call('POST', '/v1/messages', { to, body: 'A secret word' }, headers);
  expect(sent.status).toBe(202);
  const { id } = sent.body;
  await kit.until(
    async () => receiver.headers.length,
    (count) => count > 0,
    'the event is delivered',
  );
  const { rows } = await kit.service.db.run<{ trace_parent: string | null }>(
    { name: '', text: 'select trace_parent from outbound_messages where tenant_id = $1 and message_id = $2' },
    [tenant.tenantId, id],
  );
  await kit.close();
  kit = null;
  return { id, to, stored: rows[0]?.trace_parent ?? null };
}

const sends = () => network.headers.map(({ traceparent }) => traceparent).filter((one) => one !== undefined);
const parentOf = (span: CollectedSpan) => collector.spans.find(({ spanId }) => spanId === span.parentSpanId)?.name;

test('a message is one trace from the request over queue, send and reports to the webhook, under the trace of the caller', async () => {
  const { id, to, stored } = await sendOnce({ traces: true, traceparent: GIVEN });
  const spans = collector.spans.filter(({ traceId }) => traceId === TRACE_ID);
  const request = spans.find(({ name }) => name === 'POST /v1/messages');
  expect(request?.parentSpanId).toBe('b7ad6b7169203331');
  const steps = spans.filter((span) => span !== request).map((span) => [span.name, parentOf(span)]);
  expect(new Set(steps.map((step) => step.join(' < ')))).toEqual(
    new Set(['accept < POST /v1/messages', 'queue < accept', 'send < queue', 'callback < accept', 'webhook < accept']),
  );
  const accept = spans.find(({ name }) => name === 'accept');
  expect(stored).toBe(`00-${TRACE_ID}-${accept?.spanId}-01`);
  const queue = spans.find(({ name }) => name === 'queue');
  expect(queue?.links).toMatchObject([{ traceId: TRACE_ID, spanId: accept?.spanId }]);
  const send = spans.find(({ name }) => name === 'send');
  expect(sends()).toEqual([`00-${TRACE_ID}-${send?.spanId}-01`]);
  const webhook = spans.find(({ name }) => name === 'webhook');
  expect(receiver.headers[0]?.traceparent).toBe(`00-${TRACE_ID}-${webhook?.spanId}-01`);
  expect(JSON.stringify(accept?.attributes)).toContain(id);
  // Neither what it says nor to whom.
  expect(JSON.stringify(collector.spans)).not.toMatch(new RegExp(`secret|${to}`));
  expect(collector.headers[0]).toMatchObject({ 'x-team': 'a b' });
});

test('a message of a caller without a trace, or with one that is none, begins its own', async () => {
  const { stored } = await sendOnce({ traces: true, traceparent: `00-${'0'.repeat(32)}-b7ad6b7169203331-01` });
  const names = collector.spans.filter(({ traceId }) => stored?.includes(traceId)).map(({ name }) => name);
  expect(new Set(names)).toEqual(new Set(['POST /v1/messages', 'accept', 'queue', 'send', 'callback', 'webhook']));
});

test('without a collector nothing is stored, and nothing goes along', async () => {
  const { stored } = await sendOnce({ traces: false, traceparent: GIVEN });
  expect([stored, sends(), receiver.headers[0]?.traceparent]).toEqual([null, [], undefined]);
  expect(collector.spans).toEqual([]);
});

test('a collector that does not respond delays nothing', async () => {
  await collector.close();
  expect((await sendOnce({ traces: true })).stored).toMatch(/^00-/);
});
