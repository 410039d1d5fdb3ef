import { createServer } from 'node:net';

/** Local stacks listen on loopback only. */
export const HOST = '127.0.0.1';

// Below the range that kernels draw outgoing connections from, so that no connection can take a port between
// its choice and its use.
const FIRST_FREE = 20_000;
const LAST_FREE = 32_000;
const handedOut = new Set<number>();

/** Whether a server can listen on `port` of loopback now. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: HOST, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** A free port that this process has not handed out before. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_FREE + Math.floor(Math.random() * (LAST_FREE - FIRST_FREE));
    if (handedOut.has(port)) continue;
    handedOut.add(port);
    if (await isPortFree(port)) return port;
  }
}
