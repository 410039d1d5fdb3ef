import type { IncomingMessage } from 'node:http';
import { type ExecutionCall, resultOf } from '../execution/execution.ts';
import {
  type Answer,
  type Call,
  errorAnswer,
  INTERNAL_ERROR,
  INVALID_REQUEST,
  PARSE_ERROR,
  RpcError,
  readCall,
} from '../rules/json-rpc.ts';
import { routeOf } from './routes.ts';
import type { Route, View } from './view.ts';

/** The body of a response: a text, or the stream of anvil's own response. */
export type Reply = { text: string } | { stream: IncomingMessage };

/** A parsed request: one call, several, or an error. */
export type Request = { single: unknown } | { batch: readonly unknown[] } | { failed: RpcError };

/** Parses the body of a request. */
export function readRequest(body: string): Request {
  try {
    const value: unknown = JSON.parse(body);
    if (!Array.isArray(value)) return { single: value };
    return value.length > 0 ? { batch: value } : { failed: new RpcError(INVALID_REQUEST, 'Invalid request') };
  } catch {
    return { failed: new RpcError(PARSE_ERROR, 'Parse error') };
  }
}

/** The number of calls in a request, as the rate limit counts them. */
export function callsIn(request: Request): number {
  return 'batch' in request ? request.batch.length : 1;
}

/** Answers a request; the answers of a batch are in the order of its calls. */
export async function answerTo(view: View, request: Request): Promise<Reply> {
  if ('failed' in request) return text(errorAnswer(null, request.failed));
  if ('batch' in request) return text(await answerBatch(view, request.batch));
  const { id, route } = await routed(view, request.single);
  try {
    if ('forward' in route && !route.put) return { stream: await view.sources.execution.open(id, route.forward) };
    const [answer] = await answers(view, [{ id, route }]);
    return text(answer);
  } catch (error) {
    return text(errorAnswer(id, asRpcError(error)));
  }
}

interface Routed {
  id: unknown;
  route: Route | { failed: RpcError };
}

async function answerBatch(view: View, batch: readonly unknown[]): Promise<Answer[]> {
  return answers(view, await Promise.all(batch.map((value) => routed(view, value))));
}

async function routed(view: View, value: unknown): Promise<Routed> {
  let call: Call | undefined;
  try {
    call = readCall(value);
    return { id: call.id, route: await routeOf(view, call) };
  } catch (error) {
    return { id: call?.id ?? null, route: { failed: asRpcError(error) } };
  }
}

/** Answers calls in order, with one request to anvil for all that it must execute. */
async function answers(view: View, calls: readonly Routed[]): Promise<Answer[]> {
  const forwarded: ExecutionCall[] = calls.flatMap(({ route }) => ('forward' in route ? [route.forward] : []));
  const executed = (await view.sources.execution.askAll(forwarded)).values();
  return Promise.all(
    calls.map(async ({ id, route }): Promise<Answer> => {
      if ('failed' in route) return errorAnswer(id, route.failed);
      if ('result' in route) return { jsonrpc: '2.0', id, result: route.result };
      const answer = executed.next().value;
      try {
        const result = answer ? resultOf(answer) : null;
        return { jsonrpc: '2.0', id, result: route.put ? await route.put(result) : result };
      } catch (error) {
        return errorAnswer(id, asRpcError(error));
      }
    }),
  );
}

/** Converts any error to an answer, including the message of an unexpected one, since this node is for tests. */
export function asRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  return new RpcError(INTERNAL_ERROR, `internal error: ${error instanceof Error ? error.message : String(error)}`);
}

function text(value: unknown): Reply {
  return { text: JSON.stringify(value) };
}
