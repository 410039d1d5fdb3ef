/** What a span may tell: never a key, a seed, an API key or signed bytes. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** Which side of a conversation a span is. Source: OpenTelemetry, 'SpanKind'. */
export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

/** A piece of work in a trace. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** How another process goes on with the trace. Source: W3C Trace Context. */
  readonly traceparent: string;
  describe(attributes: SpanAttributes): void;
  rename(name: string): void;
  /** @param error what the work failed with, or a name for it; only the name is kept, since messages may quote what was sent */
  end(error?: unknown): void;
}

/** How a span begins. */
export interface SpanStart {
  readonly kind: SpanKind;
  readonly attributes: SpanAttributes;
  /** The span that it is part of: one of this process, or the `traceparent` of another's. None begins a trace. */
  readonly parent?: Span | string | undefined;
  /** `traceparent` of what led to it, in a trace that has long been told. */
  readonly link?: string | undefined;
  /** Unix time in ms, for work that is over; now by default. */
  readonly startedAtMs?: number;
}

/** Makes spans and exports them. */
export interface Tracer {
  start(name: string, start: SpanStart): Span;
  /** Exports what is left. */
  stop(): Promise<void>;
}
