import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import { currentRequestId, currentSpan } from './request-context.ts';

/** The service's logger, also its injection token: `logger: Logger`. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: only pino creates instances
export abstract class Logger {}
export interface Logger extends PinoLogger {}

/** Fields whose values never reach a log line, at the top level and one level below. Source: design § 6. */
const SECRET_FIELDS = [
  'apiKey',
  'api_key',
  'authorization',
  'mnemonic',
  'password',
  'privateKey',
  'rawTransaction',
  'secret',
  'seed',
  'xpub',
  '["x-api-key"]',
];

const path = (prefix: string, field: string) => (field.startsWith('[') ? `${prefix}${field}` : `${prefix}.${field}`);

const REDACTED_PATHS = SECRET_FIELDS.flatMap((field) => [
  field,
  path('*', field),
  path('req.headers', field),
  path('*.headers', field),
]);

/**
 * The JSON logger of a service: one object per line with level, time and service, and with request id and trace id if there are any.
 * @param destination for tests; default: standard output
 */
export function createLogger(service: string, level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: REDACTED_PATHS, censor: '[redacted]' },
    mixin: () => {
      const requestId = currentRequestId();
      const span = currentSpan()?.spanContext();
      return {
        ...(requestId !== undefined && { requestId }),
        ...(span && { traceId: span.traceId, spanId: span.spanId }),
      };
    },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** Writes Nest's own log lines through pino. */
export class NestPinoLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  readonly log = this.writerAt('debug');
  readonly error = this.writerAt('error');
  readonly warn = this.writerAt('warn');
  readonly debug = this.writerAt('debug');
  readonly verbose = this.writerAt('trace');
  readonly fatal = this.writerAt('fatal');

  private writerAt(level: 'fatal' | 'error' | 'warn' | 'debug' | 'trace') {
    return (message: unknown, ...rest: unknown[]) => {
      // Nest passes [stack, context] to error and [context] to the others.
      const context = rest.at(-1);
      const stack = rest.length > 1 ? rest[0] : undefined;
      const fields = {
        ...(typeof context === 'string' ? { context } : {}),
        ...(typeof stack === 'string' ? { stack } : {}),
        ...(message instanceof Error ? { err: message } : {}),
      };
      this.logger[level](fields, message instanceof Error ? message.message : String(message));
    };
  }
}
