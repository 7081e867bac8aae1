import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MessageId } from '#core/ids';
import { queueState } from '#core/queue-state';
import { makeSettler, type Settler } from '#messages/actions/dispatch-messages';
import { OutcomeWaiters } from '#messages/actions/outcome-waiters';
import type { SendOutcome } from '#network/classify';
import { makeNetworkClient, type NetworkClient } from '#network/client';
import { cases } from '#testing/depth';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant, type TestTenant } from '#testing/test-tenant';
import { decideOutcome } from './decide-outcome.ts';

let kit: TestService;
let tenant: TestTenant;
let settler: Settler;
let network: NetworkClient;
let server: Server;
/** What the network answers to the message whose body is the key. */
const answers = new Map<string, Buffer>();

beforeAll(async () => {
  // Only the test sends: each response goes through the client, `decideOutcome` and the settler.
  kit = await startTestService({ config: { roles: 'api' } });
  tenant = await makeTestTenant(kit);
  settler = makeSettler(kit.rt, kit.service.db, new OutcomeWaiters());
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (request) => {
      const text = request.toString();
      socket.end(answers.get(text.slice(text.lastIndexOf('\r\n\r\n') + 4)) ?? '');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  network = makeNetworkClient({ ...kit.rt.config, networkUrl: `http://127.0.0.1:${port}` });
});
afterAll(async () => {
  await network.close();
  server.close();
  await settler.drain();
  await kit.close();
});

const oddNumber = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.constantFrom('1e400', '-0', '131000.5', '9007199254740993', '2147483648', '131000', '131026', '-1'),
);
const oddValue = fc.oneof(
  oddNumber.map(String),
  fc.jsonValue().map((value) => JSON.stringify(value)),
);
/** Any UTF-16 text: NUL, lone surrogates, characters that a cut would halve. */
const oddText = fc.oneof(
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((codes) => String.fromCharCode(...codes)),
  fc.constantFrom('\0', 'a\0b', '\ud800', `${'a'.repeat(499)}😀 and more`, `${'\0'.repeat(600)}x`, 'x'.repeat(3_000)),
);
const oddField = fc.oneof(
  oddText.map((text) => JSON.stringify(text)),
  oddValue,
);
const envelope = fc
  .record({ code: oddValue, message: oddField, details: oddField, type: oddField, trace: oddField })
  .map(
    ({ code, message, details, type, trace }) =>
      `{"error":{"code":${code},"message":${message},"type":${type},"fbtrace_id":${trace},"error_data":{"details":${details}}}}`,
  );
const accepted = oddField.map((id) => `{"messages":[{"id":${id}}]}`);
const body = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc.oneof(envelope, accepted, fc.json(), fc.constant(`${'['.repeat(2_000)}${']'.repeat(2_000)}`)).map(Buffer.from),
);
const oddHeader = fc.constantFrom(
  '',
  'retry-after: 31536000\r\n',
  'retry-after: 1e99\r\nretry-after: -5\r\n',
  'retry-after: Wed, 21 Oct 2099 07:28:00 GMT\r\n',
  'location: http://127.0.0.1:1/\r\n',
  'content-encoding: gzip\r\n',
  `x: ${'y'.repeat(20_000)}\r\n`,
  'content-length: 7\r\n',
);
const answer = fc.oneof(
  {
    weight: 9,
    arbitrary: fc
      .record({ status: fc.oneof(fc.constantFrom(200, 400), fc.integer({ min: 100, max: 599 })), oddHeader, body })
      .map(({ status, oddHeader, body }) =>
        Buffer.concat([Buffer.from(`HTTP/1.1 ${status} X\r\n${oddHeader}connection: close\r\n\r\n`), body]),
      ),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)) },
);

/** Posts a message and claims it, as if a dispatcher were about to send it. */
async function claimed(): Promise<MessageId> {
  const messageId = (await tenant.send(freshPhone())) as MessageId;
  const text = 'update send_queue set state = 1, epoch = 1, attempts = 1 where tenant_id = $1 and message_id = $2';
  await kit.service.db.run({ name: 'test_claim', text }, [tenant.tenantId, messageId]);
  return messageId;
}

/** One send whose answer is these bytes, settled like every other. */
async function settleAnswer(messageId: MessageId, bytes: Buffer): Promise<SendOutcome> {
  answers.set(messageId, bytes);
  const outcome = await network.send({
    phoneNumberId: tenant.phoneNumberId,
    edge: 'messages',
    body: messageId,
    token: null,
  });
  const nowMs = kit.rt.clock.now();
  const { tenantId } = tenant;
  if (outcome.kind === 'accepted') {
    const { networkMessageId } = outcome;
    await settler.sent({ tenantId, messageId, attempt: 1, networkMessageId, acceptedMs: nowMs });
  } else {
    const times = { nowMs, expiresMs: nowMs + 86_400_000, unknownWaitMs: 60_000, downMs: 250 };
    const { settlement, trace } = decideOutcome({ outcome, attempt: 1, ...times, random: () => 0 });
    await settler.other({
      tenantId,
      messageId,
      epoch: 1,
      fromState: queueState.claimed,
      attempt: 1,
      nowMs,
      settlement,
      trace,
    });
  }
  return outcome;
}

test('any bytes that the network answers are settled, and the message, its trace and every list can be read', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(answer, { minLength: 30, maxLength: 30 }), async (given) => {
      const ids = await Promise.all(given.map(claimed));
      await Promise.all(ids.map((id, index) => settleAnswer(id, given[index] ?? Buffer.alloc(0))));
      for (const id of ids) {
        expect(await tenant.call('GET', `/v1/messages/${id}`)).toMatchObject({ status: 200 });
        expect(await tenant.call('GET', `/v1/messages/${id}/trace`)).toMatchObject({ status: 200 });
      }
      for (const status of ['queued', 'sending', 'sent', 'failed']) {
        const path = `/v1/messages/outbound?limit=1000&status=${status}`;
        expect(await tenant.call('GET', path)).toMatchObject({ status: 200 });
      }
      expect(await tenant.call('GET', '/v1/events?limit=1000')).toMatchObject({ status: 200 });
    }),
    { numRuns: cases(10) },
  );
});
