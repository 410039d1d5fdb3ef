import { writeFileSync } from 'node:fs';
import type { Logger } from 'pino';

/** Selects the kinds of memory that the kernel writes into a core file (core(5)): here none. */
const FILTER_FILE = '/proc/self/coredump_filter';
const NOTHING = '0';

/**
 * Keeps this process's memory, such as keys, passwords and visitors' data, out of core files. JavaScript strings cannot be
 * wiped and Node cannot lower its limits, but the content of a core file can be chosen. Linux only; elsewhere no core
 * file is expected. Source: design § 6.
 */
export function withholdMemoryFromCoreFiles(logger: Logger): void {
  if (process.platform !== 'linux') return;
  try {
    writeFileSync(FILTER_FILE, NOTHING);
  } catch (error) {
    logger.warn({ err: error }, 'cannot restrict core files: a core file of this process would contain its memory');
  }
}
