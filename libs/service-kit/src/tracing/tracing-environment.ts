import { z } from 'zod';

/**
 * OpenTelemetry's own variables. Tracing is on if there is an endpoint. OpenTelemetry itself reads further variables of the
 * exporter, such as `OTEL_EXPORTER_OTLP_CERTIFICATE`, and `OTEL_RESOURCE_ATTRIBUTES`.
 */
export const tracingEnvironment = {
  /** Base address of an OTLP/HTTP receiver, such as 'http://collector:4318'; spans go to its /v1/traces as protobuf. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url().optional(),
  /** Request headers as 'name=value,name=value', such as a token: a secret. */
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  /** Share of the traces begun here that are kept, default all; for a trace of a caller, the caller decides. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).optional(),
} as const;

/** The parsed {@link tracingEnvironment}. */
export type TracingConfiguration = z.infer<z.ZodObject<typeof tracingEnvironment>>;
