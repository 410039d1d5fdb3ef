import { type CreateJobResponse, errorBodySchema } from '@maker/contracts';
import type { Answer, ProductClient } from '../support/product-client.ts';

/** Documented answers while a part of the product cannot work (specification § 7): status by code. */
const UNAVAILABLE: Readonly<Record<string, number>> = { SERVICE_UNAVAILABLE: 503, SERVICE_TIMEOUT: 504 };

/** Longest wait of a visitor: the gateway's timeout for a service, and a margin for a busy machine. Ms. */
const MOST_WAIT_MS = 9_000;

/** How often each status came, and the slowest answer. */
export interface Answers {
  readonly byStatus: Record<number, number>;
  slowestMs: number;
}

/** Calls the API as visitors do during faults, and checks every answer against the documented ones. */
export class GatewayProbe {
  readonly answers: Answers = { byStatus: {}, slowestMs: 0 };

  /** @param paymentAmount of new jobs, HYPE */
  constructor(
    private readonly product: ProductClient,
    private readonly paymentAmount: number,
  ) {}

  /** Typical requests of visitors: reads, a check of a token, and sometimes a new job. */
  async askAll(jobId: string, token: string): Promise<CreateJobResponse | undefined> {
    const [created] = await Promise.all([
      this.ask<CreateJobResponse>('POST', '/jobs/create', { tokenAddress: token, paymentAmount: this.paymentAmount }),
      this.ask('GET', `/jobs/${jobId}/payment`),
      this.ask('GET', `/jobs/${jobId}/status`),
      this.ask('GET', `/jobs/${jobId}/orders`),
      this.ask('GET', '/stats'),
      this.ask('POST', '/validate-token', { tokenAddress: token }),
    ]);
    return created;
  }

  /** @returns the body of a success; undefined for a documented failure */
  private async ask<Body>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Body | undefined> {
    const what = `${method} ${path}`;
    const askedAt = performance.now();
    const answer = await within(MOST_WAIT_MS, what, this.product.call<Body>(method, path, body));
    this.answers.slowestMs = Math.max(this.answers.slowestMs, Math.round(performance.now() - askedAt));
    this.answers.byStatus[answer.status] = (this.answers.byStatus[answer.status] ?? 0) + 1;
    if (answer.status < 300) return answer.body;
    assertDocumented(what, answer);
    return undefined;
  }
}

function assertDocumented(what: string, { status, body }: Answer<unknown>): void {
  const { code = '', statusCode } = errorBodySchema.parse(body);
  if (UNAVAILABLE[code] !== status || statusCode !== status)
    throw new Error(`${what} was answered ${status} ${JSON.stringify(body)}, which is no documented failure`);
}

async function within<Value>(ms: number, what: string, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} was not answered within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
