import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A step as OTLP has it in JSON. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

/** A collector of OpenTelemetry that keeps what it gets. */
export interface SpanCollector {
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  readonly headers: readonly IncomingHttpHeaders[];
  close(): Promise<void>;
}

interface ExportBody {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly CollectedSpan[] }[] }[];
}

export async function startSpanCollector(): Promise<SpanCollector> {
  const spans: CollectedSpan[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const { url, close } = await listening(
    createServer((incoming, response) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => void chunks.push(chunk));
      incoming.on('end', () => {
        headers.push(incoming.headers);
        const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as ExportBody;
        spans.push(...body.resourceSpans.flatMap((one) => one.scopeSpans.flatMap((scope) => scope.spans)));
        response.setHeader('content-type', 'application/json').end('{}');
      });
    }),
  );
  return { url, spans, headers, close };
}

/** A server that notes the headers of each request, and passes it on to whoever is named later; to nobody: it answers 200 itself. */
export interface HeaderProxy {
  readonly url: string;
  readonly headers: readonly IncomingHttpHeaders[];
  target: string | null;
  close(): Promise<void>;
}

export async function startHeaderProxy(): Promise<HeaderProxy> {
  const headers: IncomingHttpHeaders[] = [];
  let target: string | null = null;
  const server = createServer((incoming, response) => {
    headers.push(incoming.headers);
    if (target === null) return void incoming.resume().on('end', () => response.end());
    const { method, url } = incoming;
    const passed = request(new URL(url ?? '/', target), { method, headers: incoming.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    incoming.pipe(passed);
  });
  const { url, close } = await listening(server);
  return {
    url,
    headers,
    close,
    get target() {
      return target;
    },
    set target(value) {
      target = value;
    },
  };
}

async function listening(server: Server): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
