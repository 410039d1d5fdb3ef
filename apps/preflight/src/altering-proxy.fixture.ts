import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A call on its way to the node. */
export interface PassingCall {
  readonly method: string;
  // biome-ignore lint/suspicious/noExplicitAny: parameters are what the test knows them to be
  readonly params: readonly any[];
}

/** What comes back: a result, an error, or an HTTP status alone. */
// biome-ignore lint/suspicious/noExplicitAny: results are what the test knows them to be
export type PassedAnswer = { result?: any; error?: { code: number; message: string }; status?: number };

/** Puts another answer in the place of the node's, in its own time. */
export type Alteration = (call: PassingCall, answer: PassedAnswer) => PassedAnswer | Promise<PassedAnswer>;

/** Stands before a node and breaks one of its rules. */
export class AlteringProxy {
  alter: Alteration = (_, answer) => answer;
  /** A provider's, with a key in it. */
  url = '';
  stop: () => Promise<void> = async () => {};

  static async start(upstream: string): Promise<AlteringProxy> {
    const proxy = new AlteringProxy();
    const server = createServer(async (request, response) => {
      const body = await text(request);
      const headers = { 'content-type': 'application/json' };
      const answer = (await (await fetch(upstream, { method: 'POST', body, headers })).json()) as PassedAnswer;
      const { status = 200, ...altered } = await proxy.alter(JSON.parse(body), { ...answer });
      response.writeHead(status, status === 429 ? { ...headers, 'retry-after': '0' } : headers);
      response.end(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, ...altered }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2/canary-key`;
    proxy.stop = async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    };
    return proxy;
  }
}
