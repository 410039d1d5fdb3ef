import { z } from 'zod';

/**
 * OpenTelemetry's own names. Tracing is on where there is an endpoint. Further variables of the exporter, such as
 * `OTEL_EXPORTER_OTLP_CERTIFICATE`, and `OTEL_RESOURCE_ATTRIBUTES` are read by OpenTelemetry itself.
 */
export const tracingEnvironment = {
  /** Base address of an OTLP/HTTP receiver, such as 'http://collector:4318'; spans go to its /v1/traces. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url().optional(),
  /** http/protobuf by default. */
  OTEL_EXPORTER_OTLP_PROTOCOL: z.enum(['http/protobuf', 'http/json']).optional(),
  /** 'name=value,name=value' sent along, such as a token: a secret. */
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  /** In place of the service's own name. */
  OTEL_SERVICE_NAME: z.string().optional(),
  /** parentbased_always_on by default. */
  OTEL_TRACES_SAMPLER: z
    .enum([
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ])
    .optional(),
  /** Share of the traces that a ratio keeps; all by default. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).optional(),
} as const;

/** What {@link tracingEnvironment} parses to. */
export type TracingConfiguration = z.infer<z.ZodObject<typeof tracingEnvironment>>;
