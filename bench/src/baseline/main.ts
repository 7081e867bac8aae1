import { buildPlainRoute } from './fastify-route.ts';

/* The plain route as a separate process: `main.js <openapi file> <port>`. */
const [openApiFile = '', port = '0'] = process.argv.slice(2);
const app = buildPlainRoute(openApiFile, () => null);
await app.listen({ host: '127.0.0.1', port: Number(port) });
process.once('SIGTERM', () => void app.close().then(() => process.exit(0)));
