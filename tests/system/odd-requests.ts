import { connect } from 'node:net';
import type { StackDescription } from '@maker/local-stack';

/** One complete answer. */
export interface OddAnswer {
  readonly what: string;
  readonly status: number;
  readonly text: string;
}

interface OddRequest {
  readonly what: string;
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** Requests with a key in a wrong place, from a caller with another, valid key. */
function oddRequests(key: string, jobId: string): OddRequest[] {
  const header = (name: string, value = key): OddRequest => ({
    what: `header ${name}`,
    path: '/stats',
    headers: { [name]: value },
  });
  const create = (what: string, body: string, headers = {}): OddRequest => ({
    what: `body with ${what}`,
    method: 'POST',
    path: '/jobs/create',
    headers: { ...JSON_TYPE, ...headers },
    body,
  });
  const order = (path: string, body: object): OddRequest => ({
    what: `order ${path.replaceAll(key, '…')}`,
    method: 'POST',
    path: `/operator/jobs/${path}`,
    headers: JSON_TYPE,
    body: JSON.stringify(body),
  });
  const valid = { tokenAddress: `0x${'1'.repeat(40)}`, paymentAmount: 0.25 };
  return [
    { what: 'no key', path: '/stats', headers: { 'x-api-key': '' } },
    { what: 'a misspelt key', path: '/stats', headers: { 'x-api-key': `${key.slice(0, -1)}~` } },
    { what: 'two keys', path: '/stats', headers: { 'x-api-key': `${key}, ${key}` } },
    { what: 'a key in the query', path: `/stats?apiKey=${key}` },
    { what: 'a key as a page', path: `/operator/jobs?status=${key}&limit=${key}&before=${key}` },
    { what: 'a key in a query that is not there', path: `/nothing?x-api-key=${key}` },
    { what: 'a key as a path', path: `/${key}` },
    { what: 'a key as a job', path: `/jobs/${key}/status` },
    { what: 'a key as a job’s payment', path: `/jobs/${key}/payment?${key}` },
    { what: 'a key as an order’s place', path: `/jobs/${jobId}/orders?after=${key}` },
    { what: 'a key in a broken escape', path: `/jobs/%${key}/status` },
    { what: 'a key as a method’s path', method: 'POST', path: `/jobs/${jobId}/${key}`, body: '{}', headers: JSON_TYPE },
    header('authorization', `Bearer ${key}`),
    header('authorization', `Basic ${Buffer.from(`:${key}`).toString('base64')}`),
    header('cookie', `key=${key}`),
    header('user-agent'),
    header('referer', `https://example.com/?key=${key}`),
    header('origin', `https://${key}`),
    header('x-request-id'),
    header('x-forwarded-for'),
    header('traceparent'),
    header('accept'),
    header('if-none-match', `"${key}"`),
    { what: 'a key as the last event', path: `/jobs/${key}/events`, headers: { 'last-event-id': key } },
    create('a key alone', key),
    create('a key that is quoted', JSON.stringify(key)),
    create('a key that is cut', `{"tokenAddress":"${key}`),
    create('a key as a field', JSON.stringify({ [key]: 1 })),
    create('a key as every value', JSON.stringify({ tokenAddress: key, paymentAmount: key, returnAddress: key })),
    create('a key as a return address', JSON.stringify({ ...valid, returnAddress: key })),
    create('a key in a list', JSON.stringify([key])),
    create('a key far too often', JSON.stringify({ ...valid, more: key.repeat(3000) })),
    create('a key as its type', '{}', { 'content-type': key }),
    create('a key as its idempotency key', JSON.stringify(valid), { 'idempotency-key': key }),
    {
      what: 'a key as a token',
      method: 'POST',
      path: '/validate-token',
      headers: JSON_TYPE,
      body: JSON.stringify({ tokenAddress: key }),
    },
    order(`${key}/pause`, { reason: 'a test of odd requests' }),
    order(`${jobId}/rebroadcast`, { to: key, reason: 'a test of odd requests' }),
    order(`${jobId}/pause`, { reason: { key } }),
  ];
}

/**
 * Sends a key to the API in every unexpected place.
 * @param key in the wrong place @param presented in its proper header
 */
export async function sendOddRequests(
  { apiUrl }: StackDescription,
  { key, presented, jobId }: { readonly key: string; readonly presented: string; readonly jobId: string },
): Promise<OddAnswer[]> {
  const answers: OddAnswer[] = [];
  for (const { what, method = 'GET', path, headers, body } of oddRequests(key, jobId)) {
    const response = await fetch(`${apiUrl}${path}`, {
      method,
      headers: { 'x-api-key': presented, ...headers },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(10_000),
    });
    const head = [...response.headers].map((entry) => entry.join(': ')).join('\n');
    answers.push({ what, status: response.status, text: `${head}\n\n${await response.text()}` });
  }
  return [...answers, await sendUnreadable(apiUrl, key)];
}

/** Sends bytes that are no HTTP request, with a key in them. */
function sendUnreadable(apiUrl: string, key: string): Promise<OddAnswer> {
  const { hostname, port } = new URL(apiUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(`GET /${key} HTTP/1.1\r\nx api key ${key}\r\n\r\n`),
    );
    let text = '';
    socket.on('data', (data) => {
      text += data.toString();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve({ what: 'no request at all', status: Number(text.split(' ')[1]), text }));
  });
}
