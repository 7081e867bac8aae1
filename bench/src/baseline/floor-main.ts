import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { Pool } from 'undici';
import { buildPlainRoute } from './fastify-route.ts';

/*
 * What a message costs at least: `floor-main.js <openapi file> <port> <network url> <app secret> <number>`. The same HTTP work as that of the service and
 * no storage: the request is checked and answered, the message is sent, the signatures of its three callbacks are verified and their JSON is read.
 */
const CONNECTIONS = 32;
const [openApiFile = '', port = '0', networkUrl = '', appSecret = '', numberId = ''] = process.argv.slice(2);

interface Callback {
  readonly entry: readonly {
    readonly changes: readonly { readonly value: { readonly statuses?: readonly unknown[] } }[];
  }[];
}

const counts = { accepted: 0, sent: 0, statuses: 0 };
const network = new Pool(networkUrl, { connections: CONNECTIONS });

async function send(to: string, text: unknown): Promise<void> {
  const answer = await network.request({
    path: `/v23.0/${numberId}/messages`,
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer floor' },
    body: JSON.stringify({ messaging_product: 'whatsapp', to, type: 'text', text: { body: text } }),
  });
  await answer.body.json();
  if (answer.statusCode !== 200) throw new Error(`The network answered ${answer.statusCode}.`);
  counts.sent += 1;
}

/** In a scope of its own, because what is signed are bytes. */
async function receiveCallbacks(scope: FastifyInstance): Promise<void> {
  scope.removeContentTypeParser('application/json');
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  scope.post<{ Body: Buffer }>('/webhooks/meta', async ({ body, headers }, reply) => {
    const signature = createHmac('sha256', appSecret).update(body).digest();
    const given = Buffer.from(String(headers['x-hub-signature-256']).slice('sha256='.length), 'hex');
    if (given.length !== signature.length || !timingSafeEqual(given, signature)) return reply.code(401).send();
    const { entry } = JSON.parse(body.toString('utf8')) as Callback;
    for (const { value } of entry.flatMap(({ changes }) => changes)) counts.statuses += value.statuses?.length ?? 0;
    return reply.code(200).send();
  });
}

const app = buildPlainRoute(openApiFile, (body) => {
  counts.accepted += 1;
  void send(body.to, body.body);
  return null;
});
await app.register(receiveCallbacks);
// In the format and by the names of the service, so that both are watched in the same way.
app.get('/metrics', async () =>
  [
    `postrider_messages_accepted_total ${counts.accepted}`,
    `postrider_sends_total{outcome="accepted"} ${counts.sent}`,
    `postrider_callback_items_total{kind="status"} ${counts.statuses}`,
  ].join('\n'),
);
await app.listen({ host: '127.0.0.1', port: Number(port) });
process.once('SIGTERM', () => void app.close().then(() => process.exit(0)));
