import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Wallets' pages of any origin may call a node. */
const ANY_ORIGIN = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'content-type',
  'access-control-allow-methods': 'POST',
};

/** Starts a server that accepts POST only, like the endpoints: no WebSocket either. @param port 0 picks a free one */
export async function serve(
  place: { host: string; port: number },
  answer: (request: IncomingMessage, body: string, response: ServerResponse) => Promise<void>,
): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    for (const [name, value] of Object.entries(ANY_ORIGIN)) response.setHeader(name, value);
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    if (request.method !== 'POST') return void response.writeHead(405, { allow: 'POST' }).end();
    try {
      await answer(request, await bodyOf(request), response);
    } catch (error) {
      // The client disconnected, or anvil broke off during its answer: no further answer is possible.
      response.destroy(error as Error);
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ ...place, exclusive: true }, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${place.host}:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Sends a text, or pipes anvil's response. */
export async function reply(
  response: ServerResponse,
  answer: { text: string } | { stream: IncomingMessage },
  status = 200,
): Promise<void> {
  if ('text' in answer) {
    response.writeHead(status, { 'content-type': 'application/json' }).end(answer.text);
    return;
  }
  const { stream } = answer;
  const length = stream.headers['content-length'];
  response.writeHead(stream.statusCode ?? 502, {
    'content-type': stream.headers['content-type'] ?? 'application/json',
    ...(length ? { 'content-length': length } : {}),
  });
  await new Promise((resolve, reject) => {
    response.once('close', resolve);
    stream.once('error', reject);
    stream.pipe(response);
  });
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
