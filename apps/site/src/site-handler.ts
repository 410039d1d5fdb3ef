import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type ClientConfiguration, SERVICE_FILE_PATH, type ServiceFile } from '@maker/contracts';
import sirv from 'sirv';
import { askAgain } from './ask-again.ts';
import { cacheControl, securityHeaders } from './headers.ts';
import { notFound } from './not-found.ts';
import { notifyRebuilds } from './notify-rebuilds.ts';

/** Configuration and builds of the site. */
export interface Site {
  /** The browser's configuration, served as `/config.json`. */
  configuration: ClientConfiguration;
  /** The file by which receipts name the service; undefined: the site has none. */
  service?: ServiceFile | undefined;
  /** Folder of the shell's build. */
  shell: string;
  /** Folder of each remote's build, by the remote's name. */
  remotes: Readonly<Record<string, string>>;
  /** Folder of the build of the page that checks receipts; served if the configuration names its origin. */
  verify: string;
  /** For builds that change while they are served: search for files at each request, and notify pages at `/rebuilds`. */
  watch?: boolean;
}

type Next = () => void;
type Handler = (request: IncomingMessage, response: ServerResponse, next: Next) => void;

/** The pages of the site. The answer is the page's own file if the build has one, else the shell's. */
const PAGES = new Set(['/', '/terms']);

/** Path that leads to the page that checks receipts. */
const VERIFY = '/verify';
/** That page asks an endpoint of the visitor's choice, so it has an origin without secrets, and no other page may connect to one. */
const ANY_ENDPOINT = 'https:';
/** Files of the shell that the other page has too. */
const COMMON_FILES = new Set(['/favicon.svg', '/start-again.js']);

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

/** Runs handlers until one answers; else redirects a request for a file of another build, or answers 404. */
function firstOf(handlers: readonly Handler[], request: IncomingMessage, response: ServerResponse): void {
  const asked = request.url ?? '/';
  const run = (position: number): void => {
    const handler = handlers[position];
    if (handler) handler(request, response, () => run(position + 1));
    else if (!askAgain(asked, response)) notFound(request, response);
  };
  run(0);
}

/**
 * Serves the shell, the remotes and `/config.json`; at the host of the configuration's `verifyUrl` only the page that checks receipts.
 * @throws the file system's error when a folder is missing
 */
export function siteHandler(site: Site): RequestListener {
  const watch = site.watch ?? false;
  const { verifyUrl } = site.configuration;
  const verifyHost = verifyUrl && new URL(verifyUrl).host;
  const shell = files(site.shell, watch);
  const remotes = Object.entries(site.remotes).map(([name, directory]) =>
    mount(`/remotes/${name}`, forAnyOrigin(files(directory, watch))),
  );
  const verify = files(site.verify, watch);
  const headers = Object.entries(securityHeaders(site.configuration.apiBaseUrl));
  const verifyHeaders = Object.entries(securityHeaders(ANY_ENDPOINT));
  const configuration = JSON.stringify(site.configuration);
  const service = site.service && JSON.stringify(site.service);

  return (request, response) => {
    const path = request.url?.split('?')[0] ?? '/';
    const isVerify = verifyHost !== undefined && request.headers.host?.toLowerCase() === verifyHost;
    for (const [name, value] of isVerify ? verifyHeaders : headers) response.setHeader(name, value);
    // Browsers ignore the header over plain HTTP. Send it only if the client reached the proxy by TLS.
    if (request.headers['x-forwarded-proto'] === 'https') response.setHeader('strict-transport-security', HSTS);
    if (isVerify) {
      firstOf(COMMON_FILES.has(path) ? [shell] : [verify], request, response);
      return;
    }
    if (verifyUrl && path === VERIFY) {
      response.writeHead(307, { location: verifyUrl, 'cache-control': 'no-store' }).end();
      return;
    }
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
    if (service && path === SERVICE_FILE_PATH) {
      response.setHeader('content-type', 'application/json');
      response.setHeader('cache-control', 'no-cache');
      // The page that checks receipts has another origin, and anyone may serve it.
      response.setHeader('access-control-allow-origin', '*');
      response.end(service);
      return;
    }
    const shellPage: Handler = (_, __, next) => {
      if (!PAGES.has(path)) return next();
      request.url = '/';
      shell(request, response, next);
    };
    firstOf([...remotes, shell, shellPage], request, response);
  };
}
