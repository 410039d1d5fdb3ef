/** Header of HTTP and NATS that carries the trace. Source: W3C Trace Context. */
export const TRACEPARENT_HEADER = 'traceparent';

/** The parts of a `traceparent`. */
export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  /** Whether its sender exports the trace. */
  readonly sampled: boolean;
}

const FORM = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;
const SAMPLED = 1;

/** Reads a `traceparent`; undefined for anything that is none, which callers may send. */
export function parseTraceparent(text: string | undefined): TraceContext | undefined {
  const [, traceId, spanId, flags] = FORM.exec(text ?? '') ?? [];
  if (!traceId || !spanId || !flags) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

/** Writes a `traceparent`. */
export function formatTraceparent({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}
