import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { CreateJobResponse } from '@maker/contracts';
import type { StackDescription } from '@maker/local-stack';
import type { ReadyReplicas } from './ready-replicas.ts';

/** Keeps a connection to one replica while the replica does: a cluster's Service balances connections. */
class BalancedConnections extends Agent {
  constructor(private readonly gateways: ReadyReplicas) {
    super({ keepAlive: true });
  }

  override createConnection(): Socket {
    const { hostname, port } = new URL(this.gateways.next());
    return connect(Number(port), hostname);
  }
}

/** Visitors who use the API without pauses, and record every refusal. */
export class Visitors {
  /** Successful answers. */
  answered = 0;
  /** Each request without an answer or a success, in words. */
  readonly lost: string[] = [];
  private leaving = false;
  private readonly connections: Agent;
  private readonly visits: Promise<unknown>;

  /** @param count of parallel visitors; each does one thing after another, and never retries a failure */
  constructor(
    private readonly stack: StackDescription,
    gateways: ReadyReplicas,
    count: number,
  ) {
    this.connections = new BalancedConnections(gateways);
    this.visits = Promise.all(Array.from({ length: count }, () => this.visit()));
  }

  /** Waits until all visitors have finished their current request. */
  async leave(): Promise<void> {
    this.leaving = true;
    await this.visits;
    this.connections.destroy();
  }

  private async visit(): Promise<void> {
    const tokenAddress = this.stack.tokens.both;
    while (!this.leaving) {
      await this.ask('GET', '/stats');
      await this.ask('POST', '/validate-token', { tokenAddress });
      const job = await this.ask<CreateJobResponse>('POST', '/jobs/create', { tokenAddress, paymentAmount: 0.25 });
      if (!job) continue;
      for (const what of ['payment', 'status', 'orders', 'payment', 'status']) {
        await this.ask('GET', `/jobs/${job.jobId}/${what}`);
      }
    }
  }

  private async ask<Body>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Body | undefined> {
    try {
      const sent = request({
        agent: this.connections,
        method,
        path,
        headers: {
          'x-api-key': this.stack.apiKey,
          ...(body !== undefined && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
        },
      });
      sent.end(body === undefined ? undefined : JSON.stringify(body));
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      const answer = await text(response);
      if (response.statusCode !== 200 && response.statusCode !== 201) {
        throw new Error(`${response.statusCode} ${answer}`);
      }
      this.answered += 1;
      return JSON.parse(answer) as Body;
    } catch (error) {
      this.lost.push(`${new Date().toISOString()} ${method} ${path}: ${(error as Error).message}`);
      return undefined;
    }
  }
}
