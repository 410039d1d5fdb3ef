/**
 * Many pages with an open live channel each: `fork(this)`. It answers {@link Pages} with {@link Opened} once each page got its job, and any
 * later message with {@link Opened} once each page lost its channel and got its job again. A page whose channel ends or is refused
 * retries after a moment until it succeeds. It uses bare sockets, since a costly client would distort the measurement.
 */
import { connect, type Socket } from 'node:net';
import { quantile } from './figure.ts';

/** The servers and paths. */
export interface Pages {
  readonly port: number;
  /** Used in turn. */
  readonly paths: readonly string[];
  readonly apiKey: string;
  readonly count: number;
}

/** Result. */
export interface Opened {
  /** Pages that received their job. */
  readonly open: number;
  /** Failed attempts by the status; `none` if no server listened or the connection ended. */
  readonly refused: Readonly<Record<string, number>>;
  /** Time from the first page that received its job to the last, ms. */
  readonly spreadMs: number;
  /** Time from a successful attempt to the first event, ms. */
  readonly p99: number;
}

/** Delay between two attempts of a page, ms: shorter than in the product, since all pages reconnect together. */
const AGAIN_MS = { least: 100, spread: 200 };
/** Time limit for all pages, ms. */
const PATIENCE_MS = 120_000;
const POLL_MS = 20;
const OK = '200';
const STATUS = 'event: status';

class Page {
  /** When it received its job on the open channel, ms. */
  heardAt: number | undefined;
  waitedMs = 0;
  losses = 0;
  private readonly port: number;
  private readonly request: string;
  private socket: Socket | undefined;

  constructor(port: number, request: string) {
    this.port = port;
    this.request = request;
    this.open();
  }

  close(): void {
    this.socket?.removeAllListeners('close');
    this.socket?.destroy();
  }

  private open(): void {
    const began = performance.now();
    let answered = 'none';
    const socket = connect(this.port, '127.0.0.1', () => socket.write(this.request, 'latin1'));
    this.socket = socket;
    socket.on('data', (chunk) => {
      if (this.heardAt !== undefined) return;
      const text = chunk.toString('latin1');
      answered = /^HTTP\/1.1 (\d+)/.exec(text)?.[1] ?? answered;
      if (answered !== OK) socket.destroy();
      if (!text.includes(STATUS)) return;
      this.heardAt = performance.now();
      this.waitedMs = this.heardAt - began;
    });
    socket.on('end', () => socket.destroy());
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (this.heardAt === undefined) refused[answered] = (refused[answered] ?? 0) + 1;
      else this.losses += 1;
      this.heardAt = undefined;
      setTimeout(() => this.open(), AGAIN_MS.least + Math.random() * AGAIN_MS.spread);
    });
  }
}

let pages: readonly Page[] = [];
let refused: Record<string, number> = {};
let losses = 0;

process.on('message', async (message: Pages | object) => {
  if ('paths' in message) {
    const { port, paths, apiKey, count } = message;
    pages = Array.from({ length: count }, (_, index) => {
      const path = paths[index % paths.length] ?? '';
      const client = `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
      const headers = `host: bench\r\nx-api-key: ${apiKey}\r\nx-forwarded-for: ${client}\r\naccept: text/event-stream`;
      return new Page(port, `GET ${path} HTTP/1.1\r\n${headers}\r\n\r\n`);
    });
  } else losses += 1;
  process.send?.(await allOpen());
});
process.on('disconnect', () => process.exit(0));

async function allOpen(): Promise<Opened> {
  const end = performance.now() + PATIENCE_MS;
  const isOpen = (page: Page) => page.heardAt !== undefined && page.losses >= losses;
  while (!pages.every(isOpen) && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  const open = pages.filter(isOpen);
  const received = open.map(({ heardAt }) => heardAt ?? Number.NaN);
  const before = refused;
  refused = {};
  return {
    open: open.length,
    refused: before,
    spreadMs: Math.max(...received) - Math.min(...received),
    p99: quantile(
      open.map(({ waitedMs }) => waitedMs),
      0.99,
    ),
  };
}
