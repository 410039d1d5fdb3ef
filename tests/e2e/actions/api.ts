import type { ClientConfiguration, JobPaymentResponse, JobStatusResponse } from '@maker/contracts';
import type { Page, Request, Route } from '@playwright/test';

/** Routes of the API's calls, for `page.route`. */
export const API = {
  stats: '**/stats',
  validate: '**/validate-token',
  plan: '**/plan',
  create: '**/jobs/create',
  payment: '**/jobs/*/payment',
  status: '**/jobs/*/status',
  events: '**/jobs/*/events',
  orders: '**/jobs/*/orders*',
} as const;

/** Forwards a call to the real API and changes fields of its answer. */
export async function changeAnswer<Body extends object>(
  page: Page,
  call: keyof typeof API,
  change: (body: Body) => unknown,
): Promise<void> {
  await page.route(API[call], async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change((await response.json()) as Body) });
  });
}

/** Changes fields of the page's configuration. */
export async function configure(page: Page, changes: Partial<ClientConfiguration>): Promise<void> {
  await page.route('**/config.json', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), ...changes } });
  });
}

/** Fields of both answers about a job; any text as status, as the table of specification § 4 has it. */
export type ShownPayment = Partial<Omit<JobStatusResponse & JobPaymentResponse, 'status'>> & {
  readonly status?: string;
};

/** Replaces the API's answer for every job, with the fields at the time of each poll; the live channel is silent. */
export async function answerPayments(page: Page, shown: ShownPayment): Promise<void> {
  await closeLiveChannel(page);
  await changeAnswer<JobPaymentResponse>(page, 'payment', (body) => ({ ...body, ...shown }));
  await changeAnswer<JobStatusResponse>(page, 'status', (body) => ({ ...body, ...shown }));
}

/** Ends the live channel immediately, as a proxy does that blocks it. */
export async function closeLiveChannel(page: Page): Promise<void> {
  await page.route(API.events, (route) => route.fulfill({ status: 200, contentType: 'text/event-stream', body: '' }));
}

/** Answers a call with an error and a body. */
export async function answerError(page: Page, call: keyof typeof API, status: number, body: unknown): Promise<void> {
  await page.route(API[call], (route) =>
    route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(body) }),
  );
}

/** Makes a call's address unreachable. */
export async function cutOff(page: Page, call: keyof typeof API): Promise<void> {
  await page.route(API[call], (route) => route.abort('connectionrefused'));
}

/** Holds a call back. @returns a function that forwards it to the real API */
export async function holdBack(page: Page, call: keyof typeof API): Promise<() => Promise<void>> {
  let release: (() => void) | undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const hold = async (route: Route) => {
    await released;
    await route.continue();
  };
  await page.route(API[call], hold);
  return async () => release?.();
}

/** Makes the API client itself throw at a call, which no network fault causes. */
export async function throwAt(page: Page, path: string): Promise<void> {
  await page.addInitScript((end) => {
    const ok = Object.getOwnPropertyDescriptor(Response.prototype, 'ok')?.get;
    Object.defineProperty(Response.prototype, 'ok', {
      get(this: Response) {
        if (this.url.endsWith(end)) throw new TypeError('provoked by a test');
        return ok?.call(this);
      },
    });
  }, path);
}

/** Records every call of the page to a path from now on. */
export function recordCalls(page: Page, path: string | RegExp): readonly Request[] {
  const calls: Request[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (typeof path === 'string' ? pathname === path : path.test(pathname)) calls.push(request);
  });
  return calls;
}
