// Passes TLS connections on, unread, to the hosts that EGRESS_HOSTS names ("host:port,host:port") and to nothing else.
import { createServer } from 'node:http';
import { connect } from 'node:net';

const { EGRESS_HOSTS, PORT = '3128' } = process.env;
const allowed = new Set(EGRESS_HOSTS.split(',').map((host) => host.toLowerCase()));
const CONNECT_MS = 10_000;
/** Longer than any connection is kept open for the next request. */
const IDLE_MS = 120_000;

const log = (level, msg, fields) => console.log(JSON.stringify({ level, time: Date.now(), msg, ...fields }));

const server = createServer((request, response) => {
  // Probes. What asks for a whole URL would be read, so it is not passed on.
  response.writeHead(request.url === '/livez' ? 200 : 405).end();
});

server.on('connect', (request, client, head) => {
  const target = request.url.toLowerCase();
  client.on('error', () => client.destroy());
  if (!allowed.has(target)) {
    log('warn', 'a connection was refused', { target, from: client.remoteAddress });
    client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    return;
  }
  const [host, port] = target.split(':');
  const upstream = connect({ host, port: Number(port), autoSelectFamily: true });
  const late = setTimeout(() => upstream.destroy(new Error('no connection in time')), CONNECT_MS);
  let isOpen = false;
  upstream.once('connect', () => {
    clearTimeout(late);
    isOpen = true;
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    upstream.write(head);
    upstream.pipe(client).pipe(upstream);
  });
  upstream.once('error', (error) => {
    clearTimeout(late);
    log('warn', 'a host could not be reached', { target, error: error.message });
    if (isOpen) client.destroy();
    else client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  client.once('close', () => upstream.destroy());
  for (const socket of [client, upstream]) socket.setTimeout(IDLE_MS, () => socket.destroy());
});

server.listen(Number(PORT), () => log('info', 'passes connections on', { hosts: [...allowed] }));

// Connections end with the process: whoever had one makes another, to the next pod.
process.on('SIGTERM', () => {
  setTimeout(() => process.exit(0), Number(process.env.SHUTDOWN_DRAIN_MS ?? 0));
});
