import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';

/** Runbooks with tested commands: `recovery-drill` in its own test, the others in `observability/runbooks.prometheus.ts`. */
export const RUN_BY_A_MACHINE = [
  'alerting-silent',
  'api-error-budget',
  'api-keys',
  'api-latency-budget',
  'balance-polls-heavy',
  'blocks-missed',
  'canary-failing',
  'capacity-booked',
  'chain-stalled',
  'chain-unreachable',
  'credit-dropped',
  'deposit-not-credited',
  'event-loop-blocked',
  'events-parked',
  'exchange-set-aside',
  'execution-faults',
  'execution-overdue',
  'executions-paused',
  'job-failed',
  'job-not-expired',
  'job-refused',
  'ledger-drift',
  'money-held',
  'money-on-hypercore',
  'money-unclaimed',
  'mongodb-failing',
  'nats-disconnected',
  'nonce-gap',
  'orders-reverting',
  'outbox-not-published',
  'paid-job-budgets',
  'paid-job-not-executed',
  'payment-seen-late',
  'readings-failing',
  'recovery-drill',
  'requests-unanswered',
  'returns-failing',
  'rpc-endpoint-refused',
  'rpc-failing',
  'servers-unwell',
  'service-missing',
  'service-restarting',
  'signing-refused',
  'transaction-stuck',
  'unpaid-jobs-refused',
  'wallets-unowned',
  'watcher-lag',
  'watcher-not-scanning',
  'webhooks-not-taken',
] as const;

/** See {@link RUN_BY_A_MACHINE}. */
export type RunRunbook = (typeof RUN_BY_A_MACHINE)[number];

/** The commands in a runbook's `sh` blocks, block by block. Blocks of `console` need a cluster. */
export function blocksIn(text: string): string[][] {
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block?.trim().split('\n') ?? []);
}

/** The blocks of a runbook, see {@link blocksIn}. */
export async function runbookBlocks(name: RunRunbook): Promise<string[][]> {
  return blocksIn(await readFile(join(WORKSPACE_ROOT, 'docs/runbooks', `${name}.md`), 'utf8'));
}

/** The commands of a runbook, of all its blocks. */
export async function runbookCommands(name: RunRunbook): Promise<string[]> {
  return (await runbookBlocks(name)).flat();
}

/** Functions that an operator defines first, to sign and send commands. */
export async function signingFunctions(): Promise<string[]> {
  return blocksIn(await readFile(join(WORKSPACE_ROOT, 'docs/runbooks/README.md'), 'utf8')).flat();
}
