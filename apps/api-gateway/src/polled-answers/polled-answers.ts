import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import { Logger, REQUEST_ID_HEADER, Readiness, TRACEPARENT_HEADER } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { getStorageToken } from '@nestjs/throttler';
import type { FastifyInstance } from 'fastify';
import { ApiKeys } from '../access/api-keys.ts';
import { GATEWAY_CONFIGURATION, type GatewayConfiguration } from '../configuration.ts';
import { GatewayMetrics, POLLED_ROUTES, type PolledView } from '../gateway.metrics.ts';
import type { RateLimitStorage } from '../rate-limit/rate-limit-storage.ts';
import { windowKey } from '../rate-limit/window-key.ts';
import { edgeCopyOf } from '../requests/edge-copy.ts';
import { requestIdOf } from '../requests/request-id.ts';
import type { AnswerText } from '../status-snapshot/answer-text.ts';
import { StatusSnapshot } from '../status-snapshot/status-snapshot.ts';
import { commonHeaders } from './common-headers.ts';

const [PAYMENT_PREFIX = '', PAYMENT_SUFFIX = ''] = POLLED_ROUTES.payment.split(':jobId');

const KEPT_NOWHERE = ['cache-control', 'no-store'];

/** What is polled, and its answer where nobody has to be asked for it. */
interface Polled {
  readonly view: PolledView;
  readonly body: AnswerText;
}

/**
 * The short way of what every open page polls: where the answer is at hand, the key is good, the client is within its limit and the
 * request is like any other, it is answered here. Everything else is left to the framework, so that each refusal, each error
 * and each answer that has to be asked for is made in one place. Both ways count, log and answer alike. Source: design § 3.
 */
@Injectable()
export class PolledAnswers {
  private headers: ReadonlyMap<string | undefined, readonly string[]> = new Map();
  private readonly isApiKey: (text: string) => boolean;
  private readonly addressOf: (request: IncomingMessage) => string;
  private unlogged = 0;

  constructor(
    private readonly snapshot: StatusSnapshot,
    private readonly keys: ApiKeys,
    @Inject(getStorageToken()) private readonly limits: RateLimitStorage,
    private readonly metrics: GatewayMetrics,
    private readonly readiness: Readiness,
    @Inject(GATEWAY_CONFIGURATION) private readonly configuration: GatewayConfiguration,
    private readonly logger: Logger,
  ) {
    this.isApiKey = (text) => keys.ownerOf(text) !== undefined;
    this.addressOf = clientAddress(configuration.HTTP_TRUSTED_PROXIES);
  }

  /** Takes the place in front of the framework, once the server listens. */
  standBefore(server: FastifyInstance): void {
    server.addHook('onListen', async () => {
      this.headers = await commonHeaders(server, this.configuration.CORS_ORIGINS);
      const framework = server.server.listeners('request') as RequestListener[];
      server.server.removeAllListeners('request');
      server.server.on('request', (request, response) => {
        if (this.answer(request, response)) return;
        for (const listener of framework) listener.call(server.server, request, response);
      });
    });
  }

  /** @returns false where nothing was done, and the framework has to answer */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    const beganMs = performance.now();
    const polled = this.polled(request);
    if (!polled) return false;
    const { headers } = request;
    const common = this.headers.get(headers.origin);
    if (!common || this.readiness.draining || isUnlikeOthers(headers)) return false;
    const presented = headers['x-api-key'];
    const owner = this.keys.ownerOn(request.socket, typeof presented === 'string' ? presented : '');
    if (!owner?.scopes.includes('public')) return false;
    const { RATE_LIMIT_REQUESTS: limit, RATE_LIMIT_WINDOW_SECONDS: seconds } = this.configuration;
    const route = POLLED_ROUTES[polled.view];
    const key = windowKey('GET', route, owner.name, this.addressOf(request));
    const counted = this.limits.letThrough(key, seconds * 1000, limit);
    if (!counted) return false;
    const requestId = requestIdOf(headers[REQUEST_ID_HEADER], this.isApiKey);
    const copy = polled.view === 'stats' ? edgeCopyOf(polled.body.text) : undefined;
    const status = copy?.isHeldBy(headers['if-none-match']) ? 304 : 200;
    response.writeHead(status, [
      ...common,
      ...(copy?.headerList ?? KEPT_NOWHERE),
      REQUEST_ID_HEADER,
      requestId,
      ...(status === 304 ? [] : ['content-length', polled.body.contentLength]),
      'x-ratelimit-limit',
      String(limit),
      'x-ratelimit-remaining',
      String(Math.max(0, limit - counted.totalHits)),
      'x-ratelimit-reset',
      String(counted.timeToExpire),
    ]);
    if (status === 304) response.end();
    else response.end(polled.body.text, polled.body.encoding);
    const durationMs = performance.now() - beganMs;
    this.metrics.answeredFromMemory(polled.view, status, durationMs);
    this.log(route, status, requestId, owner, durationMs);
    return true;
  }

  private polled({ method, url = '' }: IncomingMessage): Polled | undefined {
    if (method !== 'GET') return undefined;
    if (url === POLLED_ROUTES.stats) {
      const body = this.snapshot.statsAtHand();
      return body === undefined ? undefined : { view: 'stats', body };
    }
    if (!url.startsWith(PAYMENT_PREFIX) || !url.endsWith(PAYMENT_SUFFIX)) return undefined;
    const body = this.snapshot.paymentAtHand(url.slice(PAYMENT_PREFIX.length, -PAYMENT_SUFFIX.length));
    return body === undefined ? undefined : { view: 'payment', body };
  }

  /** One line of so many, and of each that took long: every one of them ended well, or it had not come this way. */
  private log(
    route: string,
    status: number,
    requestId: string,
    owner: { name: string; keyId: string },
    durationMs: number,
  ): void {
    const { HTTP_LOG_POLLED_ONE_IN: oneIn, HTTP_LOG_SLOW_MS: slowMs } = this.configuration;
    this.unlogged += 1;
    const isSlow = durationMs >= slowMs;
    if (this.unlogged < oneIn && !isSlow) return;
    if (!isSlow) this.unlogged = 0;
    const line = {
      requestId,
      method: 'GET',
      route,
      status,
      durationMs: Math.round(durationMs),
      apiKeyName: owner.name,
      apiKeyId: owner.keyId,
      ...(isSlow ? {} : { oneIn }),
    };
    this.logger.info(line, 'request');
  }
}

/** What the framework knows to deal with: a trace of the caller's, and a GET that has a body. */
function isUnlikeOthers(headers: IncomingMessage['headers']): boolean {
  return (
    headers[TRACEPARENT_HEADER] !== undefined ||
    headers['content-length'] !== undefined ||
    headers['transfer-encoding'] !== undefined
  );
}

/** The client's address as the framework finds it: by X-Forwarded-For as far as proxies are trusted. */
function clientAddress(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  if (trustedProxies.length === 0) return (request) => request.socket.remoteAddress ?? '';
  const isTrusted = proxyAddress.compile([...trustedProxies]);
  return (request) => proxyAddress(request, isTrusted);
}
