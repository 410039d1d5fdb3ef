import { setTimeout as wait } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import type { Logger } from 'pino';
import { Readiness } from './readiness.ts';
import { stopTracing } from './tracing/start-tracing.ts';
import { watchdog } from './watchdog.ts';
import { withinTime } from './within-time.ts';

/** Time limits of a shutdown. */
export interface Ending {
  /** Between the first failing /readyz and the end of new work, ms. */
  readonly drainMs: number;
  /** Time limit for unfinished work after that, ms; no request takes longer than the default. */
  readonly longestMs?: number | undefined;
}

const LONGEST_MS = 15_000;

/**
 * Ends a service in order on SIGTERM or SIGINT: /readyz fails, the drain time passes so that no new request comes, then Nest
 * closes its servers and runs every module's hooks. It ignores a second signal. It exits with 1, as after a crash, when the
 * shutdown fails or exceeds its time, as when the database stops at the same moment. Source: design § 10, docs/adr/0040.
 */
export function closeOnSignal(
  app: Pick<INestApplicationContext, 'get' | 'close'>,
  { drainMs, longestMs = LONGEST_MS }: Ending,
  logger: Logger,
): void {
  let closing = false;
  const close = async (signal: string) => {
    if (closing) return;
    closing = true;
    logger.info({ signal, drainMs }, 'shutdown started');
    app.get(Readiness, { strict: false }).drain();
    await wait(drainMs);
    await withinTime(longestMs, () => app.close().then(stopTracing), 'shutdown');
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

/** Ends the process on an unhandled error: its state is unknown, and a restart continues from the database. */
export function exitOnUnhandled(logger: Logger): void {
  const exit = (kind: string) => (error: unknown) => {
    logger.fatal({ err: error }, kind);
    process.exit(1);
  };
  process.on('uncaughtException', exit('uncaught exception'));
  process.on('unhandledRejection', exit('unhandled rejection'));
}

/** Ends the process when a loop of it stands, so that Kubernetes restarts it. @param everyMs between two checks, ms */
export function exitWhenLoopsStand(logger: Logger, everyMs?: number): void {
  watchdog.start((loops) => {
    logger.fatal({ loops }, 'a loop stands, ending the process');
    process.exit(1);
  }, everyMs);
}
