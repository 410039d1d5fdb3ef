import type { RunningStack } from '@maker/local-stack';
import type { Address } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOwnStack } from '../support/own-stack.ts';
import { ProductClient } from '../support/product-client.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';
import { type FuzzRun, fuzz, prepareSchemathesis } from './schemathesis.ts';

const FUZZ_MS = 1_200_000;

/** Cases per route and phase; more find more faults and take longer. */
const EXAMPLES = process.env.API_FUZZ_EXAMPLES || '30';
/** Repeats the run of that seed. */
const SEED = process.env.API_FUZZ_SEED ? [`--seed=${process.env.API_FUZZ_SEED}`] : [];

let running: RunningStack;
let receiver: WebhookReceiver;
let jobIds: string[];

beforeAll(async () => {
  await prepareSchemathesis();
  receiver = await WebhookReceiver.start();
  const { endpointsFile: webhookEndpointsFile } = receiver;
  running = await startOwnStack(20, {}, {}, { webhookEndpointsFile });
  const product = new ProductClient(running.stack);
  const paid = await product.createJob(running.stack.tokens.both as Address, 0.25);
  const waiting = await product.createJob(running.stack.tokens.both as Address, 0.5);
  jobIds = [paid.jobId, waiting.jobId];
  await product.pay(paid.paymentAddress, '0.25');
  // A job with orders fills every field of an answer.
  await product.completed(paid.jobId, { timeoutMs: 240_000 });
}, 900_000);

afterAll(async () => {
  await running?.stop();
  await receiver?.stop();
});

/** Inputs that Schemathesis cannot generate: a key, jobs that exist, and tradable tokens. */
function configuration(apiKey: string): string {
  const list = (values: readonly string[]) => JSON.stringify(values);
  return `
[auth.openapi.apiKey]
api_key = "${apiKey}"

[dictionaries]
jobs = { values = ${list(jobIds)} }
tokens = { values = ${list(Object.values(running.stack.tokens))} }

[parameters]
"path.jobId" = { dictionary = "jobs", probability = 0.5 }
"body.tokenAddress" = { dictionary = "tokens", probability = 0.5 }

# 422 refuses what is well-formed: an amount out of range, a token that cannot be traded, a key used for another body.
[checks]
positive_data_acceptance.expected-statuses = ["2xx", "401", "403", "404", "409", "422"]

[[operations]]
include-path-regex = "/events$"
max-stream-events = 1
`;
}

const DOCUMENTS = ['/openapi.json', '/operator/openapi.json'];

/** Runs the documents of visitors and operators. */
async function ask(apiKey: string, options: readonly string[]): Promise<FuzzRun> {
  const { apiUrl, operatorApiKey } = running.stack;
  const runs: FuzzRun[] = [];
  for (const path of DOCUMENTS) {
    const document = await (await fetch(`${apiUrl}${path}`, { headers: { 'x-api-key': operatorApiKey } })).text();
    const fixed = [`--max-examples=${EXAMPLES}`, '--request-timeout=20', '--continue-on-failure', ...SEED];
    runs.push(await fuzz(apiUrl, document, running.directory, configuration(apiKey), [...fixed, ...options]));
  }
  return {
    ok: runs.every(({ ok }) => ok),
    cases: runs.reduce((sum, { cases }) => sum + cases, 0),
    output: runs.map(({ output }) => output).join('\n'),
  };
}

describe('the API keeps its OpenAPI document, without any 5xx', () => {
  it('follows the contract for an operator on every route', { timeout: FUZZ_MS }, async () => {
    const { ok, cases, output } = await ask(running.stack.operatorApiKey, []);
    console.log(output.slice(output.lastIndexOf('= SUMMARY =')));
    expect(ok, output).toBe(true);
    expect(cases).toBeGreaterThan(1000);
  });

  it('follows the contract for a visitor', { timeout: FUZZ_MS }, async () => {
    const { ok, cases, output } = await ask(running.stack.apiKey, ['--phases=examples,coverage,fuzzing']);
    console.log(output.slice(output.lastIndexOf('= SUMMARY =')));
    expect(ok, output).toBe(true);
    expect(cases).toBeGreaterThan(500);
  });
});
