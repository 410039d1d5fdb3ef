import { setTimeout as wait } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import type { Logger } from 'pino';
import { Readiness } from './readiness.ts';
import { stopTracing } from './tracing/start-tracing.ts';

/**
 * Ends a service in order on SIGTERM or SIGINT: /readyz fails, the drain time passes so that no new request comes,
 * then Nest closes its servers and every module's hooks run. A second signal is ignored; a fault in the end exits with 1.
 * Source: design § 10.
 */
export function closeOnSignal(app: INestApplicationContext, drainMs: number, logger: Logger): void {
  let closing = false;
  const close = async (signal: string) => {
    if (closing) return;
    closing = true;
    logger.info({ signal, drainMs }, 'shutting down');
    app.get(Readiness, { strict: false }).drain();
    await wait(drainMs);
    await app.close();
    await stopTracing();
    logger.info('stopped');
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      close(signal).then(
        () => process.exit(0),
        (error: unknown) => {
          logger.fatal({ err: error }, 'shutdown failed');
          process.exit(1);
        },
      );
    });
  }
}

/** Ends the process on an error that nobody handled: what state it left is unknown, a restart begins from the database. */
export function exitOnUnhandled(logger: Logger): void {
  const exit = (kind: string) => (error: unknown) => {
    logger.fatal({ err: error }, kind);
    process.exit(1);
  };
  process.on('uncaughtException', exit('uncaught exception'));
  process.on('unhandledRejection', exit('unhandled rejection'));
}
