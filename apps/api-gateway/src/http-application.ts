import type { Server } from 'node:http';
import cors from '@fastify/cors';
import { Logger, NestPinoLogger, REQUEST_ID_HEADER, Readiness } from '@maker/service-kit';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyHttpOptions, FastifyInstance, FastifyReply } from 'fastify';
import { ApiKeys } from './access/api-keys.ts';
import { type GatewayConfiguration, REQUEST_TIMEOUT_MS } from './configuration.ts';
import { errorBody } from './errors/error-body.ts';
import { GatewayMetrics } from './gateway.metrics.ts';
import { gatewayModule } from './gateway.module.ts';
import { refuseUnreadable } from './requests/refuse-unreadable.ts';
import { addRequestHooks } from './requests/request-hooks.ts';
import { requestIdOf } from './requests/request-id.ts';

const BODY_LIMIT_BYTES = 64 * 1024;
/** For a client to send its whole request, and between two requests of one connection, ms. */
const REQUEST_RECEIVE_MS = 10_000;
/** How often Node looks for requests that took longer; half a minute unless it is told, ms. */
const RECEIVE_CHECK_MS = 1000;
const KEEP_ALIVE_MS = 65_000;

/** The gateway's HTTP application, complete but not yet listening; specs inject requests into it. */
export async function createHttpApplication(
  configuration: GatewayConfiguration,
  logger: Logger,
  requestTimeoutMs: number = REQUEST_TIMEOUT_MS,
): Promise<NestFastifyApplication> {
  const app: NestFastifyApplication = await NestFactory.create<NestFastifyApplication>(
    gatewayModule(configuration, logger, requestTimeoutMs),
    fastifyAdapter(configuration, (text) => app.get(ApiKeys).ownerOf(text) !== undefined),
    // Nest's own parsers would take forms; Fastify's takes JSON only.
    { bodyParser: false, logger: new NestPinoLogger(logger), abortOnError: false },
  );
  const server: FastifyInstance = app.getHttpAdapter().getInstance();
  server.removeContentTypeParser('text/plain');
  // First: a preflight is answered before the method is checked.
  await server.register(cors, {
    origin: [...configuration.CORS_ORIGINS],
    methods: ['GET', 'POST'],
    allowedHeaders: ['content-type', 'x-api-key', 'idempotency-key', REQUEST_ID_HEADER],
    // Pages go by the server's clock. One text: a list is joined for each answer.
    exposedHeaders: `${REQUEST_ID_HEADER}, retry-after, date`,
    maxAge: 600,
    // An OPTIONS that is no preflight has no error body of ours to be refused with.
    strictPreflight: false,
  });
  closeLingeringConnections(server, requestTimeoutMs);
  addRequestHooks(server, app.get(Readiness), app.get(GatewayMetrics), app.get(Logger));
  return app;
}

/**
 * Ends what is still connected when every request must have been answered: a browser's spare connection, on which no
 * request ever came, does not count as idle and would hold up the shutdown for as long as the browser likes.
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
    // A field that nobody asked for is left out, whatever its name.
    onProtoPoisoning: 'remove',
    onConstructorPoisoning: 'remove',
    requestTimeout: REQUEST_RECEIVE_MS,
    http: {
      // Node gives the headers a minute of their own, and swaps the two limits where the whole request has less.
      headersTimeout: REQUEST_RECEIVE_MS,
      connectionsCheckingInterval: RECEIVE_CHECK_MS,
      // Most requests have no body: Node need not read the end of one.
      optimizeEmptyRequests: true,
    },
    keepAliveTimeout: KEEP_ALIVE_MS,
    // What comes on a connection that is still open is answered like everything else.
    return503OnClosing: false,
    trustProxy: configuration.HTTP_TRUSTED_PROXIES.length > 0 ? configuration.HTTP_TRUSTED_PROXIES : false,
    clientErrorHandler: refuseUnreadable,
    requestIdHeader: false,
    genReqId: (request) => requestIdOf(request.headers[REQUEST_ID_HEADER], isApiKey),
    // What the router refuses before any hook or filter runs, such as a malformed percent escape.
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
