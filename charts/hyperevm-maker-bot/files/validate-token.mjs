// Run by `helm test`: a real request through the gateway, NATS, token-validation and the chain.
import { setTimeout as wait } from 'node:timers/promises';

const { API_URL, API_KEY, TOKEN_ADDRESS, TIMEOUT_SECONDS } = process.env;
const end = Date.now() + Number(TIMEOUT_SECONDS) * 1000;
const RETRY_MS = 1000;

async function ask() {
  const response = await fetch(`${API_URL}/validate-token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': API_KEY },
    body: JSON.stringify({ tokenAddress: TOKEN_ADDRESS }),
    signal: AbortSignal.timeout(10_000),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`status ${response.status}: ${text}`);
  const verdict = JSON.parse(text);
  if (typeof verdict.isValid !== 'boolean') throw new Error(`no verdict in ${text}`);
  return verdict;
}

for (;;) {
  try {
    console.log('the product answered', JSON.stringify(await ask()));
    process.exit(0);
  } catch (error) {
    console.log(`not yet: ${error.message}`);
    if (Date.now() > end) process.exit(1);
    await wait(RETRY_MS);
  }
}
