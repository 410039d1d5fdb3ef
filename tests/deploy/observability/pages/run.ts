import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { UsageError } from '@maker/local-stack';
import { aborted, runCommand } from '@maker/local-stack/command';
import { startPrometheusOfMany } from '../prometheus-server.ts';
import { startAlertmanager } from './alertmanager-server.ts';
import { type BrokenStack, startBrokenStack } from './broken-stack.ts';
import { openOverview } from './overview.ts';
import { type Outcome, tryFault, type Watch } from './try-fault.ts';

const USAGE = 'npm run test:pages -- [--stacks <n>] [--pictures <folder>] [<part of a fault>]…';
/** Several stacks share the processors, so services are scraped less often than with one stack. */
const SCRAPE_SECONDS = 5;
/** Prometheus repeats the end of an alert for this long: a new alert of the same name would be sent again with it. */
const END_REPEATED_MS = 16 * 60_000;

const minutes = (seconds: number | undefined) => (seconds === undefined ? '–' : (seconds / 60).toFixed(1));

function row({ fault, pages, named, pagedAfterSeconds, resolvedAfterSeconds, silenced, shown }: Outcome): string {
  const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ') || '–';
  const cells = [
    fault,
    pages,
    code(named),
    minutes(pagedAfterSeconds),
    minutes(resolvedAfterSeconds),
    code(silenced),
    shown.join(', '),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Runs the remaining faults one after another, first those whose alert has not fired on this stack. */
async function work(stack: BrokenStack, watch: Watch, waiting: string[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const endedAt = new Map<string, number>();
  const take = () => {
    const left = stack.faults.filter(({ name }) => waiting.includes(name));
    const fault = left.find(({ alert }) => !endedAt.has(alert)) ?? left[0];
    if (fault) waiting.splice(waiting.indexOf(fault.name), 1);
    return fault;
  };
  for (let fault = take(); fault !== undefined; fault = take()) {
    await wait(Math.max(0, (endedAt.get(fault.alert) ?? 0) + END_REPEATED_MS - Date.now()));
    console.log(`… ${fault.name}`);
    const outcome = await tryFault(fault, watch);
    endedAt.set(fault.alert, Date.now());
    outcomes.push(outcome);
    console.log(`${outcome.problems.length ? '✗' : '✓'} ${row(outcome)} ${outcome.problems.join('; ')}`);
  }
  return outcomes;
}

/** Tries the faults whose names contain one of `chosen`, or all. @param servers collects what must be stopped @returns the exit code */
async function tryFaults(
  count: number,
  pictures: string | undefined,
  chosen: readonly string[],
  servers: AsyncDisposableStack,
) {
  const stacks: BrokenStack[] = [];
  // Starting all together, they would compete for processors until none is ready in time.
  for (let number = 1; number <= count; number += 1) {
    stacks.push(servers.adopt(await startBrokenStack(`stack-${number}`), (stack) => stack.stop()));
  }
  const alertmanager = servers.adopt(await startAlertmanager(), (server) => server.stop());
  const scraped = Object.fromEntries(stacks.map(({ namespace, targets }) => [namespace, targets]));
  const settings = { alertmanager: alertmanager.host, scrapeSeconds: SCRAPE_SECONDS };
  const prometheus = servers.adopt(await startPrometheusOfMany(scraped, settings), (server) => server.stop());
  const overview = servers.adopt(await openOverview(prometheus, SCRAPE_SECONDS, pictures), (page) => page.close());
  const names = stacks[0]?.faults.map(({ name }) => name) ?? [];
  const wanted = names.filter((name) => chosen.length === 0 || chosen.some((part) => name.includes(part)));
  const waiting = [...wanted];
  const works = stacks.map((stack) => {
    const watch = { namespace: stack.namespace, prometheus, alertmanager, overview };
    return work(stack, watch, waiting);
  });
  const outcomes = (await Promise.all(works)).flat();
  console.log(
    '\n| fault | pages | named | paged after, min | resolved after its end, min | silenced by it | on Overview |',
  );
  console.log('| --- | --- | --- | --- | --- | --- | --- |');
  for (const name of wanted) for (const outcome of outcomes) if (outcome.fault === name) console.log(row(outcome));
  const beats = alertmanager.notifications.filter(({ receiver }) => receiver === 'deadMansSwitch').length;
  console.log(`the dead man's switch got ${beats} notifications`);
  return beats === 0 || outcomes.some(({ problems }) => problems.length > 0) ? 1 : 0;
}

await runCommand(async ({ args, signal }) => {
  const options = { stacks: { type: 'string', default: '1' }, pictures: { type: 'string' } } as const;
  const { values, positionals: chosen } = parseArgs({ args, options, allowPositionals: true });
  const count = Number(values.stacks);
  if (!Number.isInteger(count) || count < 1)
    throw new UsageError(`--stacks ${values.stacks}: expected a whole number from 1 on`);
  await using servers = new AsyncDisposableStack();
  // Awaited here, so that the servers still run.
  return await Promise.race([tryFaults(count, values.pictures, chosen, servers), aborted(signal).then(() => 130)]);
}, USAGE);
