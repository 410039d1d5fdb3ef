import { randomBytes } from 'node:crypto';
import type { StackDescription } from '@maker/local-stack';

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND'];
const AT_ONCE = 20;

const hex = (bytes: number) => randomBytes(bytes).toString('hex');
const one = <Value>(values: readonly Value[]): Value => values[Math.floor(Math.random() * values.length)] as Value;

/** Paths of visitors, mistaken clients and scanners; all different. */
function randomPath(): string {
  return one([
    () => `/jobs/job_${hex(16)}/payment`,
    () => `/jobs/job_${hex(16)}/status`,
    () => `/jobs/job_${hex(16)}/orders?after=${Math.floor(Math.random() * 1e6)}`,
    () => `/jobs/${hex(4)}/receipt.csv`,
    () => `/validate-token`,
    () => `/jobs/create`,
    () => `/stats?${hex(4)}=${hex(4)}`,
    () => `/${hex(6)}/${hex(6)}.php`,
    () => `/healthz/${hex(3)}`,
    () => `/%E0%A4%A`,
  ])();
}

async function ask({ apiUrl, apiKey }: StackDescription): Promise<void> {
  const method = one(METHODS);
  const body = method === 'GET' || method === 'OPTIONS' ? undefined : JSON.stringify({ tokenAddress: `0x${hex(20)}` });
  const headers = {
    'x-api-key': one([apiKey, apiKey, hex(8)]),
    'x-request-id': hex(8),
    ...(body ? { 'content-type': one(['application/json', 'text/plain']) } : {}),
  };
  const response = await fetch(`${apiUrl}${randomPath()}`, { method, headers, ...(body ? { body } : {}) });
  await response.arrayBuffer();
}

/** Sends various requests to the API, some in parallel. */
export async function askAtRandom(stack: StackDescription, count: number): Promise<void> {
  let left = count;
  const asker = async () => {
    while (left > 0) {
      left -= 1;
      await ask(stack);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, asker));
}
