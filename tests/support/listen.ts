import type { Server } from 'node:net';

/** Where all that stands before a server listens. */
export const HOST = '127.0.0.1';

/** Has a server listen on a free port of this machine. @returns the port */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, HOST, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy listens on no port');
  return address.port;
}
