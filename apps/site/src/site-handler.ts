import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { ClientConfiguration } from '@maker/contracts';
import sirv from 'sirv';
import { cacheControl, securityHeaders } from './headers.ts';
import { notFound } from './not-found.ts';
import { notifyRebuilds } from './notify-rebuilds.ts';

/** Configuration and builds of the site. */
export interface Site {
  /** The browser's configuration, served as `/config.json`. */
  configuration: ClientConfiguration;
  /** Folder of the shell's build. */
  shell: string;
  /** Folder of each remote's build, by the remote's name. */
  remotes: Readonly<Record<string, string>>;
  /** Folder of the build of `/verify`. */
  verify: string;
  /** For builds that change while they are served: search for files at each request, and notify pages at `/rebuilds`. */
  watch?: boolean;
}

type Next = () => void;
type Handler = (request: IncomingMessage, response: ServerResponse, next: Next) => void;

/** The pages of the site. The answer is the page's own file if the build has one, else the shell's. */
const PAGES = new Set(['/', '/terms']);

/** The page that checks a receipt with an endpoint of the visitor's choice; no other page may connect to one. */
const VERIFY = '/verify';
const ANY_ENDPOINT = 'https:';

/** Path of the events that notify a development page of a new build. */
const REBUILDS = '/rebuilds';

/** A browser that once used TLS must use it for a year. */
const HSTS = 'max-age=31536000';

function files(directory: string, watch: boolean): Handler {
  return sirv(directory, {
    dev: watch,
    etag: true,
    brotli: true,
    gzip: true,
    extensions: ['html'],
    setHeaders: (response, path) => response.setHeader('cache-control', cacheControl(path)),
  });
}

/** Handles requests below a prefix, with the prefix removed. */
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

/** Allows other origins to load a remote's files, which are the same for everyone (docs/adr/0034). */
function forAnyOrigin(handler: Handler): Handler {
  return (request, response, next) => {
    response.setHeader('access-control-allow-origin', '*');
    handler(request, response, next);
  };
}

/** Serves the shell, the remotes, `/config.json` and `/verify`. @throws the file system's error when a folder is missing */
export function siteHandler(site: Site): RequestListener {
  const watch = site.watch ?? false;
  const shell = files(site.shell, watch);
  const remotes = Object.entries(site.remotes).map(([name, directory]) =>
    mount(`/remotes/${name}`, forAnyOrigin(files(directory, watch))),
  );
  const verify = mount(VERIFY, files(site.verify, watch));
  const headers = Object.entries(securityHeaders(site.configuration.apiBaseUrl));
  const verifyHeaders = Object.entries(securityHeaders(ANY_ENDPOINT));
  const configuration = JSON.stringify(site.configuration);

  return (request, response) => {
    const path = request.url?.split('?')[0] ?? '/';
    const isVerify = path === VERIFY || path.startsWith(`${VERIFY}/`);
    for (const [name, value] of isVerify ? verifyHeaders : headers) response.setHeader(name, value);
    // Browsers ignore the header over plain HTTP. Send it only if the client reached the proxy by TLS.
    if (request.headers['x-forwarded-proto'] === 'https') response.setHeader('strict-transport-security', HSTS);
    if (path === VERIFY) request.url = `${VERIFY}/`;
    if (watch && path === REBUILDS) {
      notifyRebuilds([site.shell, ...Object.values(site.remotes), site.verify], response);
      return;
    }
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
    const chain = [...remotes, verify, shell, shellPage];
    const run = (position: number): void => {
      const handler = chain[position];
      if (handler) handler(request, response, () => run(position + 1));
      else notFound(request, response);
    };
    run(0);
  };
}
