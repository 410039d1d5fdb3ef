import { readdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { declareServiceMetrics, MetricsRegistry, OpsServer, Readiness } from '@maker/service-kit';
import { readClientConfiguration } from './client-configuration.ts';
import type { SiteConfiguration } from './configuration.ts';
import { readServiceFile } from './service-file.ts';
import { siteHandler } from './site-handler.ts';

/** Longer than the idle time of common proxies, so that no proxy sends a request into a closing connection. */
const KEEP_ALIVE_MS = 75_000;
/**
 * Time for the headers of a request, from the connection on, ms. Longer than browsers keep a spare connection, which is 60 s as Node's
 * default: a browser that uses it at that moment would take Node's 408 for the answer to its request.
 */
const HEADERS_MS = 75_000;
/** Time limit for unfinished downloads at the end of the server, ms. */
const FINISH_MS = 5_000;

/** A running site. */
export interface RunningSite {
  readonly httpPort: number;
  readonly opsPort: number;
  /** Fails /readyz, waits for the drain time, finishes downloads and closes all ports. */
  stop(drainMs: number): Promise<void>;
}

/** The builds to serve. */
export interface SiteBuilds {
  /** Folder with the builds: the shell's in `shell/`, each remote's in `remotes/<name>/`. */
  readonly directory: string;
  /** Search for files at each request, for builds that change while they are served. */
  readonly watch?: boolean;
}

/**
 * Serves the site and the operators' port.
 * @throws ConfigurationError when the configuration for browsers is invalid
 */
export async function startSite(
  configuration: SiteConfiguration,
  { directory, watch = false }: SiteBuilds,
): Promise<RunningSite> {
  const remotes = await readdir(join(directory, 'remotes'));
  const client = await readClientConfiguration(configuration);
  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: HEADERS_MS },
    siteHandler({
      configuration: client,
      service: await readServiceFile(configuration, client),
      shell: join(directory, 'shell'),
      remotes: Object.fromEntries(remotes.map((name) => [name, join(directory, 'remotes', name)])),
      verify: join(directory, 'verify'),
      watch,
    }),
  );
  const registry = new MetricsRegistry();
  declareServiceMetrics(registry, 'site');
  const readiness = new Readiness();
  // Load balancers choose a replica per connection: during the drain, close kept connections so that clients reach other replicas.
  server.prependListener('request', (_request, response) => {
    if (readiness.draining) response.setHeader('connection', 'close');
  });
  const ops = new OpsServer(readiness, registry);
  const opsPort = await ops.listen(configuration.OPS_PORT, configuration.LISTEN_HOST);
  const httpPort = await listen(server, configuration.HTTP_PORT, configuration.LISTEN_HOST);
  readiness.started();
  return {
    httpPort,
    opsPort,
    async stop(drainMs) {
      readiness.drain();
      await wait(drainMs);
      await close(server);
      await ops.close();
    },
  };
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    setTimeout(() => server.closeAllConnections(), FINISH_MS).unref();
  });
}
