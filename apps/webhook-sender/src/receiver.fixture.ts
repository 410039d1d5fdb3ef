import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A received request. */
export interface Received {
  readonly id: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A receiver's answer to a request. */
export type Behaviour = (response: ServerResponse, request: IncomingMessage) => void;

/** Accepts every message. */
export const accepts: Behaviour = (response) => response.writeHead(204).end();

/** Writes an endless answer while the client reads it. */
export function floods(response: ServerResponse): void {
  if (response.destroyed) return;
  response.write('x'.repeat(65_536));
  setImmediate(() => floods(response));
}

/** A key and its certificate, in PEM. */
export interface Identity {
  readonly key: string;
  readonly cert: string;
}

/** A receiver's server with the behaviour that a test sets. */
export class Receiver {
  readonly received: Received[] = [];
  behaviour: Behaviour = accepts;
  private server: Server | undefined;
  private port = 0;

  constructor(
    private identity?: Identity,
    private readonly host = '127.0.0.1',
  ) {}

  get url(): string {
    return `${this.identity ? 'https' : 'http'}://${this.identity ? 'localhost' : this.host}:${this.port}/hooks?key=hidden`;
  }

  /** Starts to listen, on the earlier port after a restart. */
  async start(identity = this.identity): Promise<this> {
    this.identity = identity;
    const answer = async (request: IncomingMessage, response: ServerResponse) => {
      const body = await text(request);
      const headers = request.headers as Record<string, string>;
      this.received.push({ id: headers['webhook-id'] ?? '', body, headers });
      this.behaviour(response, request);
    };
    this.server = identity ? createTlsServer(identity, answer) : createServer(answer);
    this.server.listen(this.port, this.host);
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
    return this;
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    if (this.server?.listening) await new Promise((resolve) => this.server?.close(resolve));
  }
}
