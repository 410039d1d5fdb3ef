import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { HOST, listen } from './listen.ts';

/**
 * Fate of a connection's bytes.
 * - `none`: they pass.
 * - `latency`: each part comes `ms` later.
 * - `trickle`: they come slowly.
 * - `reset`: resets open connections and every new one.
 * - `black_hole`: nothing passes in either direction, without an error; new connections are accepted and never answered.
 * - `half_open`: bytes to the server pass, its answers are lost.
 * - `stale`: open connections are silently dead, as behind a router that forgot them; new ones work.
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

/** A proxy between services and a server that causes network faults. */
export class FaultyNetwork {
  private readonly links = new Set<Link>();
  private fault: Fault = { kind: 'none' };
  private readonly server: Server;
  /** The port for services. */
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

  /** Sets the fault until the next call. Bytes in a black hole are lost with their connections. */
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
    // Affects only connections that are open when the fault begins.
    link.set(this.fault.kind === 'stale' ? { kind: 'none' } : this.fault);
    client.resume();
  }
}

/** The `reach` of a stack whose servers are behind faulty networks. @param networks filled by the server's name */
export function reachThrough<Server>(networks: Map<Server, FaultyNetwork>) {
  return async (server: Server, port: number): Promise<number> => {
    const network = await FaultyNetwork.before(port);
    networks.set(server, network);
    return network.port;
  };
}

/** One forwarded connection. */
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
      // Forwards the end of one side only when bytes may pass.
      socket.on('error', () => undefined);
      socket.on('close', () => this.closed(socket));
    }
  }

  set(fault: Fault): void {
    // Lost bytes do not come back: the connection stays dead when the network recovers.
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
      // A server behind a black hole does not notice, and keeps the connection's open work.
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
      // One side reset: `closed` closes the other.
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
