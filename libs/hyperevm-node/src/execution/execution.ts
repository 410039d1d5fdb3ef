import { Agent, type IncomingMessage, request } from 'node:http';
import { type ErrorObject, INTERNAL_ERROR, RpcError } from '../rules/json-rpc.ts';

const MOST_CONNECTIONS = 64;

/** A call to anvil. */
export interface ExecutionCall {
  method: string;
  params: readonly unknown[];
}

/** anvil's answer to one call of a batch. */
export type ExecutionAnswer = { result: unknown; error?: undefined } | { result?: undefined; error: ErrorObject };

/** A client of the anvil that executes, with connections that stay open. */
export class Execution {
  readonly url: string;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: MOST_CONNECTIONS });

  constructor(url: string) {
    this.url = url;
  }

  /** Sends one call. @throws RpcError with anvil's error, or when anvil does not answer */
  async ask<T>(method: string, ...params: readonly unknown[]): Promise<T> {
    const answer = JSON.parse(await this.post(requestBody(1, { method, params }))) as ExecutionAnswer;
    return resultOf(answer) as T;
  }

  /** Sends several calls in one batch; anvil may execute them in any order. @throws RpcError when anvil does not answer */
  async askAll(calls: readonly ExecutionCall[]): Promise<ExecutionAnswer[]> {
    if (calls.length === 0) return [];
    const body = `[${calls.map((call, index) => requestBody(index, call)).join(',')}]`;
    const answers = JSON.parse(await this.post(body)) as (
      | (ExecutionAnswer & { id: number })
      | { error: ErrorObject }
    )[];
    if (!Array.isArray(answers))
      throw new RpcError(INTERNAL_ERROR, `the batch was refused: ${JSON.stringify(answers)}`);
    const byId = new Map(answers.map((answer) => ['id' in answer ? answer.id : undefined, answer]));
    return calls.map((_, index) => byId.get(index) as ExecutionAnswer);
  }

  /** Sends one call and returns the raw response as a stream, with the caller's id. */
  open(id: unknown, call: ExecutionCall): Promise<IncomingMessage> {
    return this.send(requestBody(id, call));
  }

  close(): void {
    this.agent.destroy();
  }

  private send(body: string): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const sent = request(this.url, { method: 'POST', agent: this.agent, headers }, resolve);
      sent.once('error', (error) => reject(new RpcError(INTERNAL_ERROR, `cannot reach anvil: ${error.message}`)));
      sent.end(body);
    });
  }

  private async post(body: string): Promise<string> {
    const response = await this.send(body);
    response.setEncoding('utf8');
    let text = '';
    for await (const chunk of response) text += chunk;
    if (response.statusCode === 200) return text;
    throw new RpcError(INTERNAL_ERROR, `anvil answered HTTP ${response.statusCode} ${text}`);
  }
}

/** The result of one answer. @throws RpcError with anvil's error */
export function resultOf(answer: ExecutionAnswer): unknown {
  if (answer.error) throw new RpcError(answer.error.code, answer.error.message, answer.error.data);
  return answer.result;
}

function requestBody(id: unknown, { method, params }: ExecutionCall): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}
