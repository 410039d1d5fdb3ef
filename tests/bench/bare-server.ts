/**
 * The peer of the polled answers: Node's own HTTP server that sends a JSON text. A separate process:
 * `fork(this, [body])`; its first message is the port, and it answers any message with its CPU time, s.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const [body = '{}'] = process.argv.slice(2);
const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) };

const server = createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
});
server.keepAliveTimeout = 65_000;
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuSeconds: (user + system) / 1e6 });
});
process.on('disconnect', () => process.exit(0));
