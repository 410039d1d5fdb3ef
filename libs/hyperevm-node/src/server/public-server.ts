import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { answerTo, asRpcError, callsIn, readRequest } from '../public/answer.ts';
import { ExchangeApi } from '../public/exchange-api.ts';
import { answerInfo } from '../public/info-api.ts';
import { type Sources, View } from '../public/view.ts';
import { errorAnswer } from '../rules/json-rpc.ts';
import { RequestWindow } from '../rules/request-window.ts';
import { LIMIT_EXCEEDED, RpcError } from '../rules/rpc-error.ts';
import { type HttpServer, reply, serve } from './http-server.ts';

const TOO_MANY = JSON.stringify(errorAnswer(null, new RpcError(LIMIT_EXCEEDED, 'rate limited')));

/** Serves what everybody may ask: JSON-RPC, and HyperCore's API at `/info` and `/exchange`. */
export function servePublic(
  place: { host: string; port: number },
  sources: Sources,
  machine: { now: () => number; random: () => number },
): Promise<HttpServer> {
  const window = new RequestWindow();
  const exchange = new ExchangeApi(sources.core, machine.now);
  let requests = 0;

  /** Which of the nodes behind the name answers; they take turns. */
  function nextView(): View {
    const { secondNodeBehindMs } = sources.switches();
    const second = secondNodeBehindMs > 0 && requests++ % 2 === 1;
    return new View(sources, second ? sources.state.headSeenBefore(secondNodeBehindMs) : sources.state.head);
  }

  return serve(place, async (request: IncomingMessage, body: string, response: ServerResponse) => {
    if (request.url === '/info') {
      const { status, text } = answerInfo(sources.core, body);
      return reply(response, { text }, status);
    }
    if (request.url === '/exchange') {
      const { status, text } = await exchange.answer(body);
      return reply(response, { text }, status);
    }
    const read = readRequest(body);
    const { requestsPerMinute, jitterMs } = sources.switches();
    if (!window.take(request.socket.remoteAddress ?? '', callsIn(read), requestsPerMinute, machine.now())) {
      return reply(response, { text: TOO_MANY }, 429);
    }
    if (jitterMs > 0) await delay(Math.floor(machine.random() * (jitterMs + 1)));
    return reply(
      response,
      await sources.gate
        .pass(() => answerTo(nextView(), read))
        .catch((error) => ({
          text: JSON.stringify(errorAnswer(null, asRpcError(error))),
        })),
    );
  });
}
