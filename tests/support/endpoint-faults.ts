import type { StackDescription } from '@maker/local-stack';
import { type Reading, seriesOf } from './readings.ts';

/** Services that use the chain. */
const OF_THE_CHAIN = ['token-validation', 'payment-watcher', 'maker-executor'] as const;

/** A metric's labels and value in all of these services. */
async function readings({ ops }: StackDescription, metric: string): Promise<readonly Reading[]> {
  const series = await Promise.all(OF_THE_CHAIN.map((service) => seriesOf(ops[service], metric)));
  return series.flat();
}

/** Requests that the services count as faults of endpoints, summed. */
export function faultsOfEndpoints(stack: StackDescription): Promise<number> {
  return requestsThatEnded(stack, 'error');
}

/** Requests that an endpoint refused because of its rate limit. */
export function refusalsByLimit(stack: StackDescription): Promise<number> {
  return requestsThatEnded(stack, 'rate_limited');
}

async function requestsThatEnded(stack: StackDescription, outcome: 'error' | 'rate_limited'): Promise<number> {
  const requests = await readings(stack, 'maker_rpc_endpoint_requests_total');
  const ended = requests.filter(({ labels }) => labels.includes(`outcome="${outcome}"`));
  return ended.reduce((sum, { value }) => sum + value, 0);
}

/** The services' current states of their endpoints, such as 'serving'. */
export async function endpointStates(stack: StackDescription): Promise<string[]> {
  const states = (await readings(stack, 'maker_rpc_endpoint_state')).filter(({ value }) => value === 1);
  return states.map(({ labels }) => /state="([^"]*)"/.exec(labels)?.[1] ?? '');
}
