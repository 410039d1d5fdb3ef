// Forwards TLS connections without decryption to the hosts in EGRESS_HOSTS ("host:port,host:port"), and to no other host.
import { createServer } from 'node:http';
import { connect } from 'node:net';

const { EGRESS_HOSTS, PORT = '3128' } = process.env;
const allowed = new Set(EGRESS_HOSTS.split(',').map((host) => host.toLowerCase()));
const CONNECT_MS = 10_000;
/** Longer than any keep-alive timeout. */
const IDLE_MS = 120_000;

const log = (level, msg, fields) => console.log(JSON.stringify({ level, time: Date.now(), msg, ...fields }));

const server = createServer((request, response) => {
  // Answers probes. A plain HTTP proxy request would need decryption, so it gets 405.
  response.writeHead(request.url === '/livez' ? 200 : 405).end();
});

server.on('connect', (request, client, head) => {
  const target = request.url.toLowerCase();
  client.on('error', () => client.destroy());
  if (!allowed.has(target)) {
    log('warn', 'connection denied', { target, from: client.remoteAddress });
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
    log('warn', 'host unreachable', { target, error: error.message });
    if (isOpen) client.destroy();
    else client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  client.once('close', () => upstream.destroy());
  for (const socket of [client, upstream]) socket.setTimeout(IDLE_MS, () => socket.destroy());
});

server.listen(Number(PORT), () => log('info', 'proxy started', { hosts: [...allowed] }));

// Connections end with the process: clients reconnect to another pod.
process.on('SIGTERM', () => {
  setTimeout(() => process.exit(0), Number(process.env.SHUTDOWN_DRAIN_MS ?? 0));
});
