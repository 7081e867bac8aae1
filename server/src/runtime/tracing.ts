import type { SpanContext } from '@opentelemetry/api';

/** A step of a trace under way. */
export interface TraceStep {
  /** Names this step to others, as W3C "traceparent". */
  readonly traceParent: string;
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Ends it. @param error what went wrong, as a code or a sentence without anything of a message; absent: nothing */
  end(facts?: Facts, error?: string): void;
}

/** Attributes of a step: ids, codes and counts, never what a message says or a whole phone number. */
export type Facts = Readonly<Record<string, string | number | boolean>>;

export interface StepOptions {
  readonly kind: 'server' | 'client' | 'producer' | 'consumer';
  /** "traceparent" of the step that led to it; null: it begins a trace. */
  readonly parent: string | null;
  /** When it began, in milliseconds since 1970; absent: now. */
  readonly startMs?: number;
  /** "traceparent" of a step that it follows although that did not wait for it. */
  readonly follows?: string | null;
  readonly facts?: Facts;
}

/** Traces, for whoever switched them on. */
export interface Tracing {
  start(name: string, options: StepOptions): TraceStep;
  /** Sends what was not sent yet. */
  close(): Promise<void>;
}

const TRACE_PARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/;

/** Reads a "traceparent" (W3C Trace Context). @returns null when it is not one, and must be ignored */
export function readTraceParent(text: string): SpanContext | null {
  const [, traceId, spanId, flags] = TRACE_PARENT.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  if (text.startsWith('00') && text.length !== 55) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
}

/** Writes one. */
export function traceParentOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}
