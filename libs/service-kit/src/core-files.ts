import { writeFileSync } from 'node:fs';
import type { Logger } from 'pino';

/** Which kinds of memory the kernel writes into a core file (core(5)); of all of them none. */
const FILTER_FILE = '/proc/self/coredump_filter';
const NOTHING = '0';

/**
 * Keeps what this process has in its memory, such as keys, passwords and what visitors sent, out of core files. Strings of
 * JavaScript cannot be wiped and Node cannot lower its limits, but what a core file holds can be chosen. Linux only;
 * elsewhere no core file is expected. Source: design § 6.
 */
export function withholdMemoryFromCoreFiles(logger: Logger): void {
  if (process.platform !== 'linux') return;
  try {
    writeFileSync(FILTER_FILE, NOTHING);
  } catch (error) {
    logger.warn({ err: error }, 'core files not forbidden: a core file of this process would hold its memory');
  }
}
