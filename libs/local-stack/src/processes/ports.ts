import { createServer, type Server } from 'node:net';

/** Local stacks listen on loopback only. */
export const HOST = '127.0.0.1';

// Below the kernel's range for outgoing connections, so that no connection can take a port between
// its choice and its use.
const FIRST_FREE = 20_000;
const LAST_FREE = 32_000;

/** Ports that a process reserves together; the process that listens on the first of them owns all. */
const BLOCK_PORTS = 60;
const BLOCKS = Math.floor((LAST_FREE - FIRST_FREE) / BLOCK_PORTS);

/** Unused ports of the block that this process reserved last. */
let left: number[] = [];
let taking: Promise<void> | undefined;

/** Whether a server can listen on `port` of loopback now. */
export async function isPortFree(port: number): Promise<boolean> {
  const server = await listenOn(port);
  if (!server) return false;
  await new Promise((resolve) => server.close(resolve));
  return true;
}

/**
 * Returns a free port that neither this process nor another one has handed out. A service listens on its port seconds after
 * its choice, and other stacks start meanwhile.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = left.pop();
    if (port === undefined) {
      taking ??= takeBlock().finally(() => {
        taking = undefined;
      });
      await taking;
    } else if (await isPortFree(port)) return port;
  }
}

/** Reserves a block until this process ends. */
async function takeBlock(): Promise<void> {
  for (;;) {
    const first = FIRST_FREE + BLOCK_PORTS * Math.floor(Math.random() * BLOCKS);
    const guard = await listenOn(first);
    if (!guard) continue;
    guard.unref();
    left = Array.from({ length: BLOCK_PORTS - 1 }, (_, index) => first + 1 + index);
    return;
  }
}

function listenOn(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host: HOST, exclusive: true }, () => resolve(server));
  });
}
