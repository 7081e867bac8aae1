import { buildPlainRoute } from './fastify-route.ts';
import { openPeer, PEERS } from './peer-queues.ts';

/* The plain route with another project's queue behind it: `peer-main.js <openapi file> <port> <peer> <store url>`. */
const [openApiFile = '', port = '0', wanted = '', storeUrl = ''] = process.argv.slice(2);
const name = PEERS.find((peer) => peer === wanted);
if (name === undefined) throw new Error(`"${wanted}" is none of ${PEERS.join(', ')}.`);
const queue = await openPeer(name, storeUrl);
const app = buildPlainRoute(openApiFile, (body) => queue.add(body));
await app.listen({ host: '127.0.0.1', port: Number(port) });
const stop = async (): Promise<void> => {
  await app.close();
  await queue.close();
  process.exit(0);
};
process.once('SIGTERM', () => void stop());
