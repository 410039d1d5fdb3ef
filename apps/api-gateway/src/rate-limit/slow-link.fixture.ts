import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

const HOST = '127.0.0.1';

/** A TCP proxy before a server. It delays the server's answers by {@link delayMs}. */
export class SlowLink {
  delayMs = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  /** @param target port of the server */
  static async before(target: number): Promise<SlowLink> {
    const server = createServer();
    server.listen(0, HOST);
    await once(server, 'listening');
    const link = new SlowLink(server, (server.address() as AddressInfo).port);
    server.on('connection', (client) => link.carry(client, connect(target, HOST)));
    return link;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private carry(client: Socket, server: Socket): void {
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => other.destroy());
    }
    client.pipe(server);
    server.on('data', (bytes) => {
      setTimeout(() => client.write(bytes), this.delayMs);
    });
  }
}
