import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { ClientConfiguration } from '@maker/contracts';
import sirv from 'sirv';
import { NotBuiltError } from '../errors.ts';
import { WORKSPACE_ROOT } from '../paths.ts';
import { HOST } from '../processes/ports.ts';
import { REMOTES } from '../stack/description.ts';
import { cacheControl, securityHeaders } from './headers.ts';

/** What the site is made of. */
export interface WebSite {
  /** The browser's configuration, served as `/config.json`. */
  configuration: ClientConfiguration;
  /** Folder of the apps, each with its build in `<app>/dist/web`; the checkout's own unless told. */
  appsDirectory?: string;
  /** Look for files at each request, for builds that change while they are served. */
  watch?: boolean;
}

type Next = () => void;
type Handler = (request: IncomingMessage, response: ServerResponse, next: Next) => void;

/** The pages of the site; each is answered by its own file where the build made one, else by the shell's. */
const PAGES = new Set(['/', '/terms']);

function files(directory: string, watch: boolean): Handler {
  if (!existsSync(directory)) throw new NotBuiltError(directory);
  return sirv(directory, {
    dev: watch,
    etag: true,
    brotli: true,
    gzip: true,
    extensions: ['html'],
    setHeaders: (response, path) => response.setHeader('cache-control', cacheControl(path)),
  });
}

/** Under a prefix, without the prefix. */
function mount(prefix: string, handler: Handler): Handler {
  return (request, response, next) => {
    if (!request.url?.startsWith(`${prefix}/`)) return next();
    const whole = request.url;
    request.url = whole.slice(prefix.length);
    handler(request, response, () => {
      request.url = whole;
      next();
    });
  };
}

function notFound(response: ServerResponse): void {
  response.statusCode = 404;
  response.setHeader('content-type', 'text/plain; charset=utf-8');
  response.end('Not found\n');
}

/** Answers the shell at `/`, each remote at `/remotes/<name>/` and the configuration at `/config.json`. */
export function webHandler(site: WebSite): RequestListener {
  const watch = site.watch ?? false;
  const apps = site.appsDirectory ?? join(WORKSPACE_ROOT, 'apps');
  const build = (app: string): string => join(apps, app, 'dist', 'web');
  const shell = files(build('shell'), watch);
  const remotes = REMOTES.map((name) => mount(`/remotes/${name}`, files(build(name), watch)));
  const headers = Object.entries(securityHeaders(site.configuration.apiBaseUrl));
  const configuration = JSON.stringify(site.configuration);

  return (request, response) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    const path = request.url?.split('?')[0] ?? '/';
    if (path === '/config.json') {
      response.setHeader('content-type', 'application/json');
      response.setHeader('cache-control', 'no-cache');
      response.end(configuration);
      return;
    }
    const shellPage: Handler = (_, __, next) => {
      if (!PAGES.has(path)) return next();
      request.url = '/';
      shell(request, response, next);
    };
    const chain = [...remotes, shell, shellPage];
    const run = (position: number): void => {
      const handler = chain[position];
      if (handler) handler(request, response, () => run(position + 1));
      else notFound(response);
    };
    run(0);
  };
}

/** A web server that is listening. */
export interface RunningWeb {
  stop(): Promise<void>;
}

/** Serves the site on loopback. @throws NotBuiltError */
export async function startWeb(site: WebSite, port: number): Promise<RunningWeb> {
  const server: Server = createServer(webHandler(site));
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
