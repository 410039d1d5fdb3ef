import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import type { ClientConfiguration } from '@maker/contracts';
import { REMOTES } from '@maker/local-stack';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { siteHandler } from '../../apps/site/src/site-handler.ts';

/** Content of the site. */
export interface SiteContent {
  /** The browser's configuration, served as `/config.json`. */
  configuration: ClientConfiguration;
  /** Folder of the apps, each with its build in `<app>/dist/web`; the checkout's own by default. */
  appsDirectory?: string;
  /** Reads files at each request, for builds that change while they are served. */
  watch?: boolean;
}

/** A site that is listening. */
export interface SiteServer {
  stop(): Promise<void>;
}

/** Serves a test's own site on loopback, by the product's handler. */
export async function serveSite(site: SiteContent, port: number): Promise<SiteServer> {
  const apps = site.appsDirectory ?? join(WORKSPACE_ROOT, 'apps');
  const build = (app: string): string => join(apps, app, 'dist', 'web');
  const handler = siteHandler({
    configuration: site.configuration,
    shell: build('shell'),
    remotes: Object.fromEntries(REMOTES.map((name) => [name, build(name)])),
    verify: build('verify-page'),
    watch: site.watch ?? false,
  });
  const server: Server = createServer(handler);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
