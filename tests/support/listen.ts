import type { Server } from 'node:net';

/** The address on which all proxies listen. */
export const HOST = '127.0.0.1';

/** Starts a server on a free port of this machine. @returns the port */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, HOST, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy listens on no port');
  return address.port;
}
