import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readiness } from './readiness.ts';

/** Provides the text of `/metrics`. */
interface Metrics {
  /** @param accept the request's header of that name */
  page(accept?: string): Promise<{ readonly type: string; readonly body: string }>;
}

/**
 * A service's HTTP port for operators: `/livez` (the event loop runs), `/readyz` (503 with the reasons while the service
 * cannot work) and `/metrics` (OpenMetrics if the Accept header names it, else Prometheus' text).
 */
export class OpsServer {
  private readonly server: Server;

  constructor(
    private readonly readiness: Readiness,
    private readonly metrics: Metrics,
  ) {
    this.server = createServer((request, response) => {
      this.answer(request.url ?? '/', request.headers.accept).then(
        ({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body),
        (error: unknown) => response.writeHead(500, { 'content-type': 'text/plain' }).end(String(error)),
      );
    });
  }

  /** @returns the port it listens on, which differs from the given one if that is 0 */
  listen(port: number, host: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, () => resolve((this.server.address() as AddressInfo).port));
    });
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  private async answer(
    url: string,
    accept: string | undefined,
  ): Promise<{ status: number; type: string; body: string }> {
    const path = url.split('?', 1)[0];
    if (path === '/livez') return { status: 200, type: 'application/json', body: '{"status":"ok"}' };
    if (path === '/readyz') {
      const report = await this.readiness.report();
      return { status: report.ready ? 200 : 503, type: 'application/json', body: JSON.stringify(report) };
    }
    if (path === '/metrics') {
      return { status: 200, ...(await this.metrics.page(accept)) };
    }
    return { status: 404, type: 'text/plain', body: 'Known here: /livez, /readyz, /metrics\n' };
  }
}
