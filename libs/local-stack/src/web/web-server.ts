import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import type { ClientConfiguration } from '@maker/contracts';
import { siteHandler } from '@maker/web-server';
import { NotBuiltError } from '../errors.ts';
import { WORKSPACE_ROOT } from '../paths.ts';
import { HOST } from '../processes/ports.ts';
import { REMOTES } from '../stack/description.ts';

/** What the site is made of. */
export interface WebSite {
  /** The browser's configuration, served as `/config.json`. */
  configuration: ClientConfiguration;
  /** Folder of the apps, each with its build in `<app>/dist/web`; the checkout's own unless told. */
  appsDirectory?: string;
  /** Look for files at each request, for builds that change while they are served. */
  watch?: boolean;
}

/** A web server that is listening. */
export interface RunningWeb {
  stop(): Promise<void>;
}

/** Serves the site on loopback. @throws NotBuiltError */
export async function startWeb(site: WebSite, port: number): Promise<RunningWeb> {
  const apps = site.appsDirectory ?? join(WORKSPACE_ROOT, 'apps');
  const build = (app: string): string => {
    const directory = join(apps, app, 'dist', 'web');
    if (!existsSync(directory)) throw new NotBuiltError(directory);
    return directory;
  };
  const handler = siteHandler({
    configuration: site.configuration,
    shell: build('shell'),
    remotes: Object.fromEntries(REMOTES.map((name) => [name, build(name)])),
    watch: site.watch ?? false,
  });
  const server: Server = createServer(handler);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, resolve);
  });
  return {
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
