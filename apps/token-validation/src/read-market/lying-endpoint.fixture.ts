import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** What contracts have stored, in place of the truth: slots by the address of a contract. */
export type StoredOtherwise = Readonly<Record<string, { readonly stateDiff: Readonly<Record<string, string>> }>>;

/** An endpoint of the real chain that reads contracts as if they had stored something else. */
export class LyingEndpoint {
  lie: StoredOtherwise | undefined;
  /** Calls of contracts so far. */
  reads = 0;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** @param upstream URL of the node */
  static async start(upstream: string): Promise<LyingEndpoint> {
    let endpoint: LyingEndpoint | undefined;
    const server = createServer(async (request, response) => {
      const call = endpoint?.changed((await json(request)) as Call);
      const answer = await fetch(upstream, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(call),
      });
      response.setHeader('content-type', 'application/json').end(await answer.text());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    endpoint = new LyingEndpoint(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return endpoint;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private changed(call: Call): Call {
    if (call.method !== 'eth_call') return call;
    this.reads += 1;
    const [transaction, block = 'latest'] = call.params;
    return this.lie ? { ...call, params: [transaction, block, this.lie] } : call;
  }
}
