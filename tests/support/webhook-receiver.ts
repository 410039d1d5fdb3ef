import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { WEBHOOK_EVENTS } from '@maker/contracts';
import { Webhook } from 'standardwebhooks';

/** A webhook endpoint that trusts only what the specification's own library verifies. */
export class WebhookReceiver {
  /** Every content of an id: one, if it never changed. */
  readonly contents = new Map<string, Set<string>>();
  /** Descriptions of messages that no secret verifies. */
  readonly forged: string[] = [];
  private readonly secret = `whsec_${randomBytes(32).toString('base64')}`;
  private readonly server: Server;

  private constructor(
    private readonly folder: string,
    private refusesLeft: number,
  ) {
    this.server = createServer((request, response) => this.take(request, response));
  }

  /** @param options.refuses number of requests that it refuses first */
  static async start({ refuses = 0 } = {}): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver(await mkdtemp(join(tmpdir(), 'maker-receiver-')), refuses);
    receiver.server.listen(0, '127.0.0.1');
    await once(receiver.server, 'listening');
    const { port } = receiver.server.address() as AddressInfo;
    const events = WEBHOOK_EVENTS.map(({ contract }) => contract.type);
    const endpoint = { name: 'receiver', url: `http://127.0.0.1:${port}/`, secrets: [receiver.secret], events };
    await writeFile(receiver.endpointsFile, JSON.stringify([endpoint]));
    return receiver;
  }

  /** For the options of a stack. */
  get endpointsFile(): string {
    return join(this.folder, 'endpoints.json');
  }

  /** Refuses the next requests. */
  refuse(requests: number): void {
    this.refusesLeft = requests;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    await rm(this.folder, { recursive: true, force: true });
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const headers = request.headers as Record<string, string>;
    const id = headers['webhook-id'] ?? '';
    try {
      new Webhook(this.secret).verify(body, headers);
    } catch (error) {
      this.forged.push(`${id}: ${error}`);
    }
    if (this.refusesLeft > 0) {
      this.refusesLeft -= 1;
      response.writeHead(503).end('not yet');
      return;
    }
    this.contents.set(id, (this.contents.get(id) ?? new Set()).add(body));
    response.writeHead(204).end();
  }
}
