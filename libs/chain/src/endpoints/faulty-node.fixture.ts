import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Hex, keccak256 } from 'viem';

/** One received call. */
export interface ArrivedCall {
  readonly method: string;
  readonly params: readonly unknown[];
  /** Time of arrival by the server's clock, ms. */
  readonly atMs: number;
}

/** A result, or an error of the node. */
export type NodeAnswer =
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the type of its results
  | { readonly result: any; readonly error?: undefined }
  | {
      readonly error: { readonly code: number; readonly message: string; readonly data?: string };
      readonly result?: undefined;
    };

/**
 * False answer: a result, an error of the node, an HTTP status, half an answer, a whole body without an envelope, no answer, or a reset
 * of the connection.
 */
export type Fault =
  | NodeAnswer
  | { readonly status: number; readonly headers?: Record<string, string> }
  | { readonly half: string }
  | { readonly body: string }
  | 'silence'
  | 'reset';

/** Asks the real node. */
export type Ask = (call: Pick<ArrivedCall, 'method' | 'params'>) => Promise<NodeAnswer>;

/** Returns the fault of a call; undefined passes the call to the node. */
export type FaultOf = (call: ArrivedCall, ask: Ask) => Fault | undefined | Promise<Fault | undefined>;

/** Limit of requests; beyond it the node answers 429, as providers do. */
interface Limit {
  readonly requests: number;
  readonly perMs: number;
}

const JSON_HEADERS = { 'content-type': 'application/json' };

let started = 0;

/** An address of this machine for the next node: two ports of one host are one host. */
function nextHost(): string {
  started += 1;
  return `127.0.${(started >> 7) & 127}.${(started & 127) + 2}`;
}

/** A server in front of a real node, or of a small simulated chain, that fails by configuration. Each is a host of its own. */
export class FaultyNode {
  readonly calls: ArrivedCall[] = [];
  fault: FaultOf = () => undefined;
  /** Number of requests answered with 429 because of the limit. */
  refused = 0;
  url = '';
  /** Newest block of the small chain, and the prefix of its hashes. */
  head = 100;
  branch = 'aa';
  stop: () => Promise<void> = async () => {};
  /** URL of the real node. */
  upstream: string | undefined;
  limit: Limit | undefined;
  private answered: number[] = [];

  /** @param upstream URL of a real node */
  static async start<Node extends FaultyNode>(this: new () => Node, upstream?: string, limit?: Limit): Promise<Node> {
    const node = Object.assign(new this(), { upstream, limit });
    const server = createServer((request, response) => {
      text(request)
        .then((body) => node.answer(body, response))
        .catch(() => response.destroy());
    });
    const host = nextHost();
    // At every address: a stack's services reach it as a port of 127.0.0.1.
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
    node.url = `http://${host}:${(server.address() as AddressInfo).port}`;
    node.stop = async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    };
    return node;
  }

  /** Called methods, in order. */
  get methods(): string[] {
    return this.calls.map(({ method }) => method);
  }

  /** Most calls that arrived within any span, ms. */
  mostWithin(spanMs: number): number {
    const times = this.calls.map(({ atMs }) => atMs);
    return times.reduce(
      (most, start) => Math.max(most, times.filter((time) => time >= start && time < start + spanMs).length),
      0,
    );
  }

  private async answer(body: string, response: ServerResponse): Promise<void> {
    const { id, method, params = [] } = JSON.parse(body) as { id: number; method: string; params?: unknown[] };
    const call = { method, params, atMs: performance.now() };
    this.calls.push(call);
    const fault = this.isOverLimit(call.atMs) ? { status: 429 } : await this.fault(call, (asked) => this.ask(asked));
    if (fault === 'silence') return;
    if (fault === 'reset') {
      response.socket?.resetAndDestroy();
      return;
    }
    if (fault && 'status' in fault) {
      response.writeHead(fault.status, fault.headers).end();
      return;
    }
    response.setHeader('content-type', 'application/json');
    if (fault && 'half' in fault) {
      response.write(fault.half);
      return;
    }
    if (fault && 'body' in fault) {
      response.end(fault.body);
      return;
    }
    if (!fault && this.upstream) {
      const answer = await fetch(this.upstream, { method: 'POST', body, headers: JSON_HEADERS });
      response.writeHead(answer.status).end(await answer.text());
      return;
    }
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...(fault ?? { result: this.ownChain(call) }) }));
  }

  /** Asks the real node without a fault. */
  protected async ask({ method, params }: Parameters<Ask>[0]): Promise<NodeAnswer> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const answer = await fetch(this.upstream ?? '', { method: 'POST', headers: JSON_HEADERS, body });
    const { result, error } = (await answer.json()) as NodeAnswer;
    return error ? { error } : { result };
  }

  private isOverLimit(nowMs: number): boolean {
    if (!this.limit) return false;
    const { requests, perMs } = this.limit;
    this.answered = this.answered.filter((time) => time > nowMs - perMs);
    if (this.answered.length >= requests) {
      this.refused += 1;
      return true;
    }
    this.answered.push(nowMs);
    return false;
  }

  private ownChain({ method, params }: ArrivedCall): unknown {
    if (method === 'eth_chainId') return '0x7a69';
    if (method === 'eth_blockNumber') return `0x${this.head.toString(16)}`;
    if (method === 'eth_getBlockByNumber') {
      const number = params[0] === 'latest' ? this.head : Number(params[0]);
      return number > this.head ? null : this.block(number);
    }
    if (method === 'eth_sendRawTransaction') return keccak256(params[0] as Hex);
    if (method === 'eth_getBalance' || method === 'eth_getTransactionCount') return '0x0';
    return method.startsWith('eth_getTransaction') ? null : '0x';
  }

  /** A block of the small chain. */
  block(number: number) {
    const seconds = Math.floor(Date.now() / 1000) - Math.max(this.head - number, 0);
    return {
      number: `0x${number.toString(16)}`,
      hash: `0x${this.branch}${number.toString(16).padStart(62, '0')}`,
      parentHash: `0x${this.branch}${Math.max(number - 1, 0)
        .toString(16)
        .padStart(62, '0')}`,
      timestamp: `0x${seconds.toString(16)}`,
      gasLimit: '0x2dc6c0',
      gasUsed: '0x0',
      baseFeePerGas: '0x5f5e100',
      transactions: [],
    };
  }
}
