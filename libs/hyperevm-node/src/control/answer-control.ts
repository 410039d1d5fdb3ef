import { ZodError, z } from 'zod';
import { asRpcError, type Reply, readRequest } from '../public/answer.ts';
import { CoreRefusal } from '../rules/core-ledger.ts';
import { type Answer, errorAnswer, INTERNAL_ERROR, invalidParameters, RpcError, readCall } from '../rules/json-rpc.ts';
import { type Controlled, commandOf } from './commands.ts';

/** Answers requests of tests: the node's commands, and every method of anvil. Runs the calls of a batch one by one. */
export async function answerControl(node: Controlled, body: string): Promise<Reply> {
  const request = readRequest(body);
  if ('failed' in request) return text(errorAnswer(null, request.failed));
  if ('single' in request) {
    const call = isCall(request.single) ? readCall(request.single) : undefined;
    if (call && isForAnvil(call.method)) {
      return { stream: await node.sources.gate.pass(() => node.sources.execution.open(call.id, call)) };
    }
    return text(await answerOne(node, request.single));
  }
  const answers: Answer[] = [];
  for (const value of request.batch) answers.push(await answerOne(node, value));
  return text(answers);
}

async function answerOne(node: Controlled, value: unknown): Promise<Answer> {
  const id = (value as { id?: unknown } | null)?.id ?? null;
  try {
    const { method, params } = readCall(value);
    const command = commandOf(method);
    const result = command ? await command(node, params) : await askAnvil(node, method, params);
    return { jsonrpc: '2.0', id, result: result ?? null };
  } catch (error) {
    return errorAnswer(id, explained(error));
  }
}

function askAnvil({ sources: { gate, execution } }: Controlled, method: string, params: readonly unknown[]) {
  return gate.pass(() => execution.ask(method, ...params));
}

function explained(error: unknown): RpcError {
  if (error instanceof ZodError) return invalidParameters(z.prettifyError(error));
  if (error instanceof CoreRefusal) return new RpcError(INTERNAL_ERROR, error.message);
  return asRpcError(error);
}

function isCall(value: unknown): boolean {
  return typeof (value as { method?: unknown } | null)?.method === 'string';
}

function isForAnvil(method: string): boolean {
  try {
    return commandOf(method) === undefined;
  } catch {
    return false;
  }
}

function text(value: unknown): Reply {
  return { text: JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? one.toString() : one)) };
}
