import type { Server } from 'node:http';
import cors from '@fastify/cors';
import { IDEMPOTENT_REPLAYED_HEADER } from '@maker/contracts';
import { Logger, NestPinoLogger, REQUEST_ID_HEADER, Readiness } from '@maker/service-kit';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyHttpOptions, FastifyInstance, FastifyReply } from 'fastify';
import { ApiKeys } from './access/api-keys.ts';
import { type GatewayConfiguration, REQUEST_TIMEOUT_MS } from './configuration.ts';
import { errorBody } from './errors/error-body.ts';
import { GatewayMetrics } from './gateway.metrics.ts';
import { gatewayModule } from './gateway.module.ts';
import { parseQuery } from './requests/parse-query.ts';
import { REQUEST_RECEIVE_MS, refuseUnreadable } from './requests/refuse-unreadable.ts';
import { addRequestHooks } from './requests/request-hooks.ts';
import { requestIdOf } from './requests/request-id.ts';

const BODY_LIMIT_BYTES = 64 * 1024;
/** Interval in which Node checks for requests that took longer, ms. Node's default is 30 s. */
const RECEIVE_CHECK_MS = 1000;
const KEEP_ALIVE_MS = 65_000;

/** Creates the gateway's HTTP application, which does not listen yet; specs inject requests into it. */
export async function createHttpApplication(
  configuration: GatewayConfiguration,
  logger: Logger,
  requestTimeoutMs: number = REQUEST_TIMEOUT_MS,
): Promise<NestFastifyApplication> {
  const app: NestFastifyApplication = await NestFactory.create<NestFastifyApplication>(
    gatewayModule(configuration, logger, requestTimeoutMs),
    fastifyAdapter(configuration, (text) => app.get(ApiKeys).ownerOf(text) !== undefined),
    // Nest's own parsers would accept forms; Fastify's parser accepts JSON only.
    { bodyParser: false, logger: new NestPinoLogger(logger), abortOnError: false },
  );
  const server: FastifyInstance = app.getHttpAdapter().getInstance();
  server.removeContentTypeParser('text/plain');
  // Registered first: it answers a preflight before the method is checked.
  await server.register(cors, {
    origin: [...configuration.CORS_ORIGINS],
    methods: ['GET', 'POST'],
    allowedHeaders: ['content-type', 'x-api-key', 'idempotency-key', REQUEST_ID_HEADER],
    // Pages use the server's clock. A string, because Fastify would join a list for each answer.
    exposedHeaders: `${REQUEST_ID_HEADER}, retry-after, date, ${IDEMPOTENT_REPLAYED_HEADER}`,
    maxAge: 600,
    // A refusal of an OPTIONS request that is not a preflight would lack the error body.
    strictPreflight: false,
  });
  closeLingeringConnections(server, requestTimeoutMs);
  addRequestHooks(server, app.get(Readiness), app.get(GatewayMetrics), app.get(Logger));
  return app;
}

/**
 * Closes all connections at a shutdown after the time in which every request is answered. A browser's spare connection
 * without any request does not count as idle, and would delay the shutdown without a limit.
 */
function closeLingeringConnections(server: FastifyInstance, afterMs: number): void {
  server.addHook('preClose', (done) => {
    setTimeout(() => server.server.closeAllConnections(), afterMs).unref();
    done();
  });
}

function fastifyAdapter(configuration: GatewayConfiguration, isApiKey: (text: string) => boolean): FastifyAdapter {
  const options: FastifyHttpOptions<Server> = {
    bodyLimit: BODY_LIMIT_BYTES,
    // Removes these field names as Zod removes all unknown fields.
    onProtoPoisoning: 'remove',
    onConstructorPoisoning: 'remove',
    requestTimeout: REQUEST_RECEIVE_MS,
    http: {
      // Node gives the headers 60 s by default, and swaps the two limits if the whole request has less.
      headersTimeout: REQUEST_RECEIVE_MS,
      connectionsCheckingInterval: RECEIVE_CHECK_MS,
      // Most requests have no body, so Node need not read its end.
      optimizeEmptyRequests: true,
    },
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Requests on a connection that is still open get normal answers.
    return503OnClosing: false,
    trustProxy: configuration.HTTP_TRUSTED_PROXIES.length > 0 ? configuration.HTTP_TRUSTED_PROXIES : false,
    clientErrorHandler: refuseUnreadable,
    requestIdHeader: false,
    routerOptions: { querystringParser: parseQuery },
    genReqId: (request) => requestIdOf(request.headers[REQUEST_ID_HEADER], isApiKey),
    // Errors of the router before any hook or filter, such as a malformed percent escape.
    frameworkErrors: (error, request, reply: FastifyReply) => {
      const body = errorBody(error, request.id);
      void reply
        .code(body.statusCode)
        .header(REQUEST_ID_HEADER, request.id)
        .type('application/json; charset=utf-8')
        .send(body);
    },
  };
  return new FastifyAdapter(options);
}
