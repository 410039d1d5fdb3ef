/**
 * Many open pages whose requests are evenly spread and independent: `fork(this)` takes {@link Visits} and answers {@link Visited}.
 * It uses bare sockets, since a costly client would distort the measurement.
 */
import { connect, type Socket } from 'node:net';
import { median, quantile } from './figure.ts';

/** The servers, requests and their rate. */
export interface Visits {
  /** Used in turn. */
  readonly ports: readonly number[];
  readonly paths: readonly string[];
  readonly apiKey: string;
  readonly requestsPerSecond: number;
  readonly seconds: number;
}

/** Result. */
export interface Visited {
  readonly answered: number;
  /** Answers other than 200, and requests without an answer. */
  readonly failed: number;
  /** Measured from the time when a request was due, not when it was sent, ms. */
  readonly p50: number;
  readonly p99: number;
}

/** Sockets of each server: the most pages that may wait for an answer together. */
const SOCKETS = 256;
/** Time after the last request, ms. */
const PATIENCE_MS = 2000;
const OK = Buffer.from('HTTP/1.1 200');
const LENGTH = 'content-length: ';
const HEAD_ENDS = '\r\n\r\n';

/** A connection with at most one request in flight. */
class Page {
  dueAt = 0;
  readonly socket: Socket;
  private readonly chunks: Buffer[] = [];
  private readonly answered: (page: Page, ok: boolean) => void;

  constructor(socket: Socket, answered: (page: Page, ok: boolean) => void) {
    this.socket = socket;
    this.answered = answered;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.take(chunk));
    socket.on('error', () => undefined);
  }

  ask(request: string, dueAt: number): void {
    this.dueAt = dueAt;
    this.socket.write(request, 'latin1');
  }

  private take(chunk: Buffer): void {
    this.chunks.push(chunk);
    const answer = this.chunks.length === 1 ? chunk : Buffer.concat(this.chunks);
    const head = answer.indexOf(HEAD_ENDS);
    if (head < 0) return;
    const text = answer.toString('latin1', 0, head).toLowerCase();
    const length = Number.parseInt(text.slice(text.indexOf(LENGTH) + LENGTH.length), 10);
    if (answer.length < head + HEAD_ENDS.length + length) return;
    this.chunks.length = 0;
    this.answered(this, answer.subarray(0, OK.length).equals(OK));
  }
}

process.on('message', async (visits: Visits) => process.send?.(await visit(visits)));
process.on('disconnect', () => process.exit(0));

async function visit({ ports, paths, apiKey, requestsPerSecond, seconds }: Visits): Promise<Visited> {
  const requests = paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: bench\r\nx-api-key: ${apiKey}\r\n\r\n`);
  const latencies: number[] = [];
  let failed = 0;
  const waiting: { request: string; dueAt: number }[][] = ports.map(() => []);
  const free: Page[][] = ports.map(() => []);
  const pages = await Promise.all(
    ports.flatMap((port, server) =>
      Array.from({ length: SOCKETS }, async () => {
        const page = new Page(await opened(port), (own, ok) => {
          latencies.push(performance.now() - own.dueAt);
          if (!ok) failed += 1;
          const next = waiting[server]?.shift();
          if (next) own.ask(next.request, next.dueAt);
          else free[server]?.push(own);
        });
        free[server]?.push(page);
        return page;
      }),
    ),
  );
  const total = Math.round(requestsPerSecond * seconds);
  const began = performance.now();
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - began) / 1000) * requestsPerSecond));
    for (; sent < due; sent += 1) {
      const server = sent % ports.length;
      const request = requests[sent % requests.length] ?? '';
      const dueAt = began + (sent / requestsPerSecond) * 1000;
      const page = free[server]?.pop();
      if (page) page.ask(request, dueAt);
      else waiting[server]?.push({ request, dueAt });
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  const end = performance.now() + PATIENCE_MS;
  while (latencies.length < total && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
  for (const { socket } of pages) socket.destroy();
  const answered = latencies.length;
  const unanswered = total - answered;
  for (let count = 0; count < unanswered; count += 1) latencies.push(performance.now() - began);
  return { answered, failed: failed + unanswered, p50: median(latencies), p99: quantile(latencies, 0.99) };
}

function opened(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.once('error', reject);
  });
}
