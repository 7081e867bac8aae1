import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Config } from '#runtime/config';
import { readTraceParent, type StepOptions, type TraceStep, type Tracing, traceParentOf } from '#runtime/tracing';
import { serviceVersion } from '#runtime/version';

/** A collector that hangs must not delay the end of a process for longer. */
const EXPORT_WITHIN_MS = 5_000;

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

type TraceSettings = Pick<Config, 'traceEndpoint' | 'traceHeaders' | 'traceService' | 'tracePercent'>;

/**
 * Traces that go to an OpenTelemetry collector over OTLP. What that needs is loaded only here, and only when a collector is set.
 * @returns null: none is set
 */
export async function openTracing(config: TraceSettings): Promise<Tracing | null> {
  if (config.traceEndpoint === '') return null;
  const [sdk, { resourceFromAttributes }, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  const url = `${config.traceEndpoint.replace(/\/$/, '')}/v1/traces`;
  const exporter = new OTLPTraceExporter({
    url,
    headers: headersOf(config.traceHeaders),
    timeoutMillis: EXPORT_WITHIN_MS,
  });
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': config.traceService, 'service.version': serviceVersion() }),
    // By the id of the trace alone: all processes keep or leave out the same traces, from beginning to end.
    sampler: new sdk.TraceIdRatioBasedSampler(config.tracePercent / 100),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, exportTimeoutMillis: EXPORT_WITHIN_MS })],
  });
  const tracer = provider.getTracer('postrider');
  return {
    start: (name, options) => {
      const { kind, parent, startMs, follows, facts = {} } = options;
      const link = typeof follows === 'string' ? readTraceParent(follows) : null;
      const span = tracer.startSpan(
        name,
        {
          kind: KINDS[kind],
          attributes: { ...facts },
          ...(startMs === undefined ? {} : { startTime: startMs }),
          ...(link === null ? {} : { links: [{ context: link }] }),
        },
        contextOf(parent),
      );
      return stepOf(span);
    },
    close: () => provider.shutdown().catch(() => undefined),
  };
}

function contextOf(parent: StepOptions['parent']): Context {
  const found = parent === null ? null : readTraceParent(parent);
  return found === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, found);
}

function stepOf(span: Span): TraceStep {
  const context = span.spanContext();
  return {
    traceParent: traceParentOf(context),
    traceId: context.traceId,
    end: (facts = {}, error) => {
      span.setAttributes({ ...facts });
      if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error });
      span.end();
    },
  };
}

/** `name=value,other=value`, percent-encoded, as the specification of OpenTelemetry has it. */
function headersOf(text: string): Record<string, string> {
  const pairs = text.split(',').filter((pair) => pair.includes('='));
  return Object.fromEntries(
    pairs.map((pair) => [
      pair.slice(0, pair.indexOf('=')).trim(),
      decodeURIComponent(pair.slice(pair.indexOf('=') + 1).trim()),
    ]),
  );
}
