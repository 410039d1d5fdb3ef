import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Hex, parseTransaction, recoverTransactionAddress, type TransactionSerialized } from 'viem';
import { HOST, listen } from '../support/listen.ts';

/** A transaction that a service hands to the node. */
export interface Broadcast {
  readonly rawTransaction: Hex;
  readonly sender: string;
  readonly nonce: number;
  readonly to: string | null | undefined;
}

/**
 * What becomes of a broadcast. `pass`; `lose_answer`: the node takes it, the connection is reset instead of the answer;
 * `swallow_answer`: the node takes it, and no answer ever comes; `refuse`: it is reset before the node hears of it.
 */
export type BroadcastFate = 'pass' | 'lose_answer' | 'swallow_answer' | 'refuse';

/** Decides for each broadcast; may wait as long as it likes, with which the request is held back. */
export type Intercept = (broadcast: Broadcast) => Promise<BroadcastFate> | BroadcastFate;

/** Stands before a node and understands what services say to it. */
export class InterceptedRpc {
  /** All pass by default. */
  intercept: Intercept = () => 'pass';

  private constructor(
    private readonly server: Server,
    /** Where services reach the node. */
    readonly port: number,
  ) {}

  /** @param target the node's own port */
  static async before(target: number): Promise<InterceptedRpc> {
    const server = createServer({ keepAlive: true });
    const rpc = new InterceptedRpc(server, await listen(server));
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      // The one who asked has gone, or the node has: both are told by the connection.
      rpc.answer(`http://${HOST}:${target}`, request, response).catch(() => response.destroy());
    });
    return rpc;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private async answer(target: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    const fate = await this.fateOf(body);
    if (fate === 'refuse') {
      request.socket.resetAndDestroy();
      return;
    }
    const answer = await fetch(target, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    const text = await answer.text();
    if (fate === 'lose_answer') request.socket.resetAndDestroy();
    else if (fate === 'pass') response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  }

  private async fateOf(body: string): Promise<BroadcastFate> {
    const { method, params } = JSON.parse(body) as { method?: string; params?: [TransactionSerialized] };
    if (method !== 'eth_sendRawTransaction' || !params) return 'pass';
    const [rawTransaction] = params;
    const { nonce = 0, to } = parseTransaction(rawTransaction);
    const sender = await recoverTransactionAddress({ serializedTransaction: rawTransaction as `0x02${string}` });
    return this.intercept({ rawTransaction, sender, nonce, to });
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const part of request.setEncoding('utf8')) body += part;
  return body;
}
