import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { createInterface } from 'node:readline';

/** A local registry for one run. */
export interface LocalRegistry {
  /** Host and port, the start of a reference. */
  readonly host: string;
  stop(): Promise<void>;
}

const SERVING = /serving on port (\d+)/;

/** Serves an OCI registry with crane. @param blobs folder for blobs; manifests stay in memory */
export async function serveRegistry(crane: string, blobs: string): Promise<LocalRegistry> {
  await mkdir(blobs, { recursive: true });
  const child = spawn(crane, ['registry', 'serve', '--address', '127.0.0.1:0', '--disk', blobs], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  for await (const line of createInterface({ input: child.stderr })) {
    const [, port] = SERVING.exec(line) ?? [];
    if (!port) continue;
    // crane writes a line for each request; a full pipe would block it.
    child.stderr.resume();
    return {
      host: `127.0.0.1:${port}`,
      async stop() {
        child.kill('SIGTERM');
        await ended;
      },
    };
  }
  throw new Error('crane registry serve ended before it served');
}
