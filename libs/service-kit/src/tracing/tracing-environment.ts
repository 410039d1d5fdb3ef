import { z } from 'zod';

/**
 * OpenTelemetry's own names. Tracing is on where there is an endpoint. Further variables of the exporter, such as
 * `OTEL_EXPORTER_OTLP_CERTIFICATE`, and `OTEL_RESOURCE_ATTRIBUTES` are read by OpenTelemetry itself.
 */
export const tracingEnvironment = {
  /** Base address of an OTLP/HTTP receiver, such as 'http://collector:4318'; spans go to its /v1/traces as protobuf. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url().optional(),
  /** 'name=value,name=value' sent along, such as a token: a secret. */
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  /** Share of the traces begun here that are kept, all by default; a trace that a caller began is kept as the caller decided. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).optional(),
} as const;

/** What {@link tracingEnvironment} parses to. */
export type TracingConfiguration = z.infer<z.ZodObject<typeof tracingEnvironment>>;
