import { setTimeout as delay } from 'node:timers/promises';
import { answerTo, asRpcError, callsIn, readRequest } from '../public/answer.ts';
import { answerInfo, exchangeApi } from '../public/hypercore-api.ts';
import { type Sources, View } from '../public/view.ts';
import { errorAnswer, LIMIT_EXCEEDED, RpcError } from '../rules/json-rpc.ts';
import { RequestWindow } from '../rules/request-window.ts';
import { reply, serve } from './http-server.ts';

const TOO_MANY = JSON.stringify(errorAnswer(null, new RpcError(LIMIT_EXCEEDED, 'rate limited')));

/** Serves the public addresses: JSON-RPC, and HyperCore's API at `/info` and `/exchange`. */
export function servePublic(place: { host: string; port: number }, sources: Sources) {
  const window = new RequestWindow();
  const answerExchange = exchangeApi(sources.core, sources.now);
  let requests = 0;

  /** The view of the node that answers next; the nodes behind the address take turns. */
  function nextView(): View {
    const { secondNodeBehindMs } = sources.switches();
    const second = secondNodeBehindMs > 0 && requests++ % 2 === 1;
    return new View(sources, second ? sources.state.headSeenBefore(secondNodeBehindMs) : sources.state.head);
  }

  return serve(place, async (request, body, response) => {
    if (request.url === '/info' || request.url === '/exchange') {
      const answered = request.url === '/info' ? answerInfo(sources.core, body) : await answerExchange(body);
      return reply(response, answered, answered.status);
    }
    const read = readRequest(body);
    const { requestsPerMinute, jitterMs } = sources.switches();
    if (!window.take(request.socket.remoteAddress ?? '', callsIn(read), requestsPerMinute, sources.now())) {
      return reply(response, { text: TOO_MANY }, 429);
    }
    if (jitterMs > 0) await delay(Math.floor(Math.random() * (jitterMs + 1)));
    const answer = await sources.gate
      .pass(() => answerTo(nextView(), read))
      .catch((error) => ({ text: JSON.stringify(errorAnswer(null, asRpcError(error))) }));
    return reply(response, answer);
  });
}
