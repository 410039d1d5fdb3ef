import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { HOST, listen } from './listen.ts';

/**
 * What happens to the bytes of a connection.
 * - `none`: they pass.
 * - `latency`: each part comes `ms` later.
 * - `trickle`: they come slowly.
 * - `reset`: connections that are open are reset, and so is every new one.
 * - `black_hole`: nothing passes in either direction and nothing is told; new connections are taken and never answered.
 * - `half_open`: what goes to the server passes, its answers are lost.
 * - `stale`: connections that are open are dead without being told, as behind a router that forgot them; new ones work.
 */
export type Fault =
  | { readonly kind: 'none' }
  | { readonly kind: 'latency'; readonly ms: number }
  | { readonly kind: 'trickle'; readonly bytesPerSecond: number }
  | { readonly kind: 'reset' }
  | { readonly kind: 'black_hole' }
  | { readonly kind: 'half_open' }
  | { readonly kind: 'stale' };

type Direction = 'to_server' | 'to_client';

const TRICKLE_EVERY_MS = 50;

/** Stands between services and a server, and does to their connections what networks do. */
export class FaultyNetwork {
  private readonly links = new Set<Link>();
  private fault: Fault = { kind: 'none' };
  private readonly server: Server;
  /** Where services reach the server. */
  readonly port: number;

  private constructor(server: Server, port: number) {
    this.server = server;
    this.port = port;
  }

  /** @param target the server's own port */
  static async before(target: number): Promise<FaultyNetwork> {
    const server = createServer({ pauseOnConnect: true });
    const network = new FaultyNetwork(server, await listen(server));
    server.on('connection', (client) => network.link(client, target));
    return network;
  }

  /** From now on, until another is set. Bytes that a black hole held back are gone with their connections. */
  set(fault: Fault): void {
    this.fault = fault;
    for (const link of this.links) link.set(fault);
  }

  /** Connections that are open now. */
  get connections(): number {
    return this.links.size;
  }

  async stop(): Promise<void> {
    for (const link of this.links) link.cut();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private link(client: Socket, target: number): void {
    const link = new Link(client, target, () => this.links.delete(link));
    this.links.add(link);
    // Only those that are open when it comes are forgotten.
    link.set(this.fault.kind === 'stale' ? { kind: 'none' } : this.fault);
    client.resume();
  }
}

/** The `reach` of a stack whose servers are behind networks that can fail. @param networks filled by the server's name */
export function reachThrough<Server>(networks: Map<Server, FaultyNetwork>) {
  return async (server: Server, port: number): Promise<number> => {
    const network = await FaultyNetwork.before(port);
    networks.set(server, network);
    return network.port;
  };
}

/** One connection, through. */
class Link {
  private readonly client: Socket;
  private readonly onEnd: () => void;
  private readonly server: Socket;
  private fault: Fault = { kind: 'none' };
  private dead = false;

  constructor(client: Socket, target: number, onEnd: () => void) {
    this.client = client;
    this.onEnd = onEnd;
    this.server = connect({ port: target, host: HOST, noDelay: true });
    client.setNoDelay(true);
    void this.carry('to_server', client, this.server);
    void this.carry('to_client', this.server, client);
    for (const socket of [client, this.server]) {
      // The other side learns of an end by the bytes that stop, or not at all while they are held back.
      socket.on('error', () => undefined);
      socket.on('close', () => this.closed(socket));
    }
  }

  set(fault: Fault): void {
    // What was lost in a hole does not come back: the connection stays dead when the network is whole again.
    if (this.swallows(this.fault) && !this.swallows(fault)) this.dead = true;
    if (fault.kind === 'stale') this.dead = true;
    this.fault = fault;
    if (fault.kind === 'reset') this.reset();
  }

  cut(): void {
    this.client.destroy();
    this.server.destroy();
    this.onEnd();
  }

  private swallows({ kind }: Fault): boolean {
    return kind === 'black_hole' || kind === 'half_open';
  }

  private loses(direction: Direction): boolean {
    if (this.dead || this.fault.kind === 'black_hole') return true;
    return this.fault.kind === 'half_open' && direction === 'to_client';
  }

  private reset(): void {
    this.client.resetAndDestroy();
    this.server.resetAndDestroy();
    this.onEnd();
  }

  private closed(socket: Socket): void {
    if (socket === this.client) {
      // A server behind a hole does not hear of it, and keeps what the connection had begun.
      if (this.loses('to_server')) return;
      this.server.destroy();
      this.onEnd();
    } else if (!this.loses('to_client')) this.client.end();
  }

  private async carry(direction: Direction, from: Socket, to: Socket): Promise<void> {
    try {
      for await (const part of from as AsyncIterable<Buffer>) {
        if (this.loses(direction)) continue;
        await this.hold();
        for (let rest = part; rest.length > 0; ) {
          const sent = await this.portion(rest);
          if (this.loses(direction) || to.destroyed) break;
          if (!to.write(sent)) await new Promise<void>((resolve) => to.once('drain', resolve).once('close', resolve));
          rest = rest.subarray(sent.length);
        }
      }
      if (!this.loses(direction)) to.end();
    } catch {
      // Reset by one side: the other is closed by `closed`.
    }
  }

  private async hold(): Promise<void> {
    if (this.fault.kind === 'latency') await wait(this.fault.ms);
  }

  private async portion(rest: Buffer): Promise<Buffer> {
    if (this.fault.kind !== 'trickle') return rest;
    await wait(TRICKLE_EVERY_MS);
    return rest.subarray(0, Math.max(1, Math.floor((this.fault.bytesPerSecond * TRICKLE_EVERY_MS) / 1000)));
  }
}
