import { watch } from 'node:fs';
import type { ServerResponse } from 'node:http';

/** A build writes many files; it has ended when it wrote none for this long. */
const QUIET_MS = 100;

/**
 * Sends a page a server-sent event whenever a build in one of the folders has ended, until the page disconnects.
 * @param directories of the builds, absolute
 */
export function notifyRebuilds(directories: readonly string[], response: ServerResponse): void {
  let timer: NodeJS.Timeout | undefined;
  const note = () => {
    clearTimeout(timer);
    timer = setTimeout(() => response.write('data: rebuilt\n\n'), QUIET_MS);
  };
  // A removed folder can no longer be watched: end the response, and the page connects again.
  const watchers = directories.map((directory) =>
    watch(directory, { recursive: true }, note).on('error', () => response.destroy()),
  );
  response.once('close', () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  });
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.flushHeaders();
}
