export * from './clock.ts';
export * from './core-files.ts';
export * from './environment.ts';
export * from './logger.ts';
export * from './metrics/declare-metric.ts';
export * from './metrics/declare-reading.ts';
export * from './metrics/exchange-metrics.ts';
export * from './metrics/rpc-metrics.ts';
export * from './metrics/service-metrics.ts';
export * from './ops-server.ts';
export * from './periodic-task.ts';
export * from './readiness.ts';
export * from './request-context.ts';
export * from './service-kit.module.ts';
export * from './shutdown.ts';
export type { Span } from './tracer.ts';
export * from './tracing/start-tracing.ts';
export { TRACEPARENT_HEADER } from './tracing/traceparent.ts';
export {
  beginSpan,
  currentOrigin,
  inSpan,
  type Origin,
  recordCall,
} from './tracing/tracing.ts';
export * from './tracing/tracing-environment.ts';
export * from './within-time.ts';
