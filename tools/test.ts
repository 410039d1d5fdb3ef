import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type RunningStack, StackError, startStack, UsageError } from '@maker/local-stack';
import { BuildFailedError, runCommand, seconds } from '@maker/local-stack/command';
import { buildApps } from './build-workspace.ts';
import { findChromium } from './chromium.ts';
import { chooseRounds, RESULTS_DIRECTORY, type TestPhase, type TestRound, type TestScope } from './test-phases.ts';
import {
  afterSecondRun,
  closingLine,
  type FileResult,
  failedTests,
  failureOf,
  filesForSecondRun,
  playwrightResults,
  redTests,
  unsteadyTests,
  vitestResults,
} from './test-report.ts';
import { packagedProgram, runTool } from './tool.ts';

/** These run the built services. */
const NEEDS_BUILD: readonly TestPhase['name'][] = [
  'system',
  'browser',
  'chaos',
  'adversary',
  'deploy',
  'api-fuzz',
  'observability',
];

const MINUTE_MS = 60_000;

/** Jobs mostly wait for blocks. The chain's time goes as ours does, since a page counts down to a deadline by its own clock. */
const FOUR_BLOCKS_A_SECOND = { blockMs: 250, secondsPerBlock: 0 };
/** As many orders as fit into a block at the least. */
const EXECUTION_WINDOW_SECONDS = '20';

/** How a round is run. */
interface RoundRun {
  names: readonly TestPhase['name'][];
  files: readonly string[];
  /** A part of the names of the tests to run; all of them unless told. Of Vitest alone. */
  named: string | undefined;
  /** Where the tool leaves its report. */
  report: string;
  environment: Record<string, string>;
  signal: AbortSignal;
}

async function runVitest({ names, files, named, report, environment, signal }: RoundRun): Promise<FileResult[]> {
  const projects = names.flatMap((name) => ['--project', name]);
  const chosen = named === undefined ? [] : ['--testNamePattern', named];
  const args = ['run', ...projects, ...chosen, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const tool = { signal, output: 'show', environment } as const;
  const { code } = await runTool(packagedProgram('vitest'), [...args, ...files], tool);
  return vitestResults(report, code);
}

async function runPlaywright({ files, report, environment, signal }: RoundRun): Promise<FileResult[]> {
  const chromium = await findChromium('shell', () => console.log('… installing Chromium'));
  const { code } = await runTool(
    packagedProgram('playwright'),
    ['test', '--config', 'tests/playwright.config.ts', ...files],
    {
      signal,
      output: 'show',
      environment: {
        ...environment,
        CHROMIUM: chromium,
        PLAYWRIGHT_JSON_OUTPUT_FILE: report,
        NODE_OPTIONS: '--conditions=@maker/source',
      },
    },
  );
  return playwrightResults(report, code);
}

/** What is asked of a run. */
interface RunRequest {
  rounds: readonly TestRound[];
  named: string | undefined;
  /** Minutes; a round that wants more is told and not begun. */
  timeLeft: () => number;
  /** A red file runs once more, by itself. */
  secondRun: boolean;
  signal: AbortSignal;
}

/** Runs one round after the other. */
async function runRounds({ rounds, named, timeLeft, secondRun, signal }: RunRequest): Promise<FileResult[]> {
  const results: FileResult[] = [];
  const reports = await mkdtemp(join(tmpdir(), 'maker-test-reports-'));
  let running: RunningStack | undefined;
  try {
    for (const [index, { phases, minutes, usesSharedStack }] of rounds.entries()) {
      if (signal.aborted) break;
      // An idle stack goes on reading every block: a quarter of a core, which the other rounds have a use for.
      if (!usesSharedStack) {
        await running?.stop();
        running = undefined;
      }
      const names = phases.map(({ name }) => name);
      if (timeLeft() < minutes) {
        console.log(
          `\n○ not run: ${filesIn(phases)}: ${minutes} minutes are wanted, ${Math.floor(timeLeft())} are left`,
        );
        continue;
      }
      const environment: Record<string, string> = {};
      if (usesSharedStack) {
        running ??= await startTestStack(signal);
        environment.STACK_FILE = join(running.directory, 'stack.json');
      }
      const began = Date.now();
      console.log(`\n${names.join(', ')} tests`);
      const run = names.includes('browser') ? runPlaywright : runVitest;
      const files = phases.flatMap((phase) => phase.files);
      const round = { names, files, named, environment, signal };
      const first = await run({ ...round, report: join(reports, `${index}.json`) });
      const again = secondRun && !signal.aborted ? filesForSecondRun(first) : [];
      const second =
        again.length > 0
          ? await run({ ...round, files: again, report: join(reports, `${index}-again.json`) })
          : undefined;
      results.push(...(second ? afterSecondRun(first, second) : first));
      console.log(`${names.join(', ')} tests took ${seconds(Date.now() - began)}`);
    }
  } catch (error) {
    if (signal.aborted) return results;
    // A part that cannot even begin is a failure among the others, not instead of them.
    console.error(error instanceof StackError ? `✗ ${error.message}` : error);
    results.push(failureOf('the run', 'could not go on', error instanceof Error ? error.message : String(error)));
  } finally {
    await running?.stop();
    await rm(reports, { recursive: true, force: true });
  }
  return results;
}

function filesIn(phases: readonly TestPhase[]): string {
  return phases.flatMap(({ files }) => files).join(', ');
}

async function startTestStack(signal: AbortSignal): Promise<RunningStack> {
  const began = Date.now();
  const running = await startStack({
    directory: join(RESULTS_DIRECTORY, 'stack'),
    ports: 'free',
    clock: FOUR_BLOCKS_A_SECOND,
    environment: {
      job: { JOB_EXECUTION_WINDOW_SECONDS: EXECUTION_WINDOW_SECONDS },
    },
    signal,
  });
  console.log(`✓ stack for the tests (${seconds(Date.now() - began)}), logs in test-results/stack/logs`);
  return running;
}

await runCommand(async ({ args, signal }) => {
  const began = Date.now();
  const { filters, named, scope, withinMinutes, secondRun } = readArguments(args);
  const rounds = chooseRounds(filters, scope);
  if (rounds.length === 0) throw new UsageError(`no test file's path holds ${filters.join(' or ')}`);
  if (rounds.some(({ phases }) => phases.some(({ name }) => NEEDS_BUILD.includes(name)))) {
    try {
      await buildApps(signal);
    } catch (error) {
      if (!(error instanceof BuildFailedError)) throw error;
      console.error(`✗ ${error.message}`);
      return close([failureOf('the build', 'of the services and pages failed')]);
    }
    if (signal.aborted) return 130;
  }
  const timeLeft = () => withinMinutes - (Date.now() - began) / MINUTE_MS;
  const results = await runRounds({ rounds, named, timeLeft, secondRun, signal });
  return signal.aborted ? 130 : close(results);
});

/** The last page of a run, and its exit code. */
function close(results: readonly FileResult[]): number {
  console.log(`\n${[...unsteadyTests(results), ...redTests(results), closingLine(results)].join('\n')}`);
  return failedTests(results) > 0 || results.length === 0 ? 1 : 0;
}

/** @throws UsageError naming what is not understood */
function readArguments(args: readonly string[]) {
  const { values, positionals } = parsed(args);
  const withinMinutes = values.within === undefined ? Number.POSITIVE_INFINITY : Number(values.within);
  if (!(withinMinutes > 0)) throw new UsageError(`--within ${values.within}: a number of minutes is expected`);
  const scope: TestScope = values.full ? 'full' : 'quick';
  const secondRun = values['second-run'] ?? false;
  return { filters: positionals, named: values.named, scope, withinMinutes, secondRun };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        full: { type: 'boolean' },
        within: { type: 'string' },
        'second-run': { type: 'boolean' },
        named: { type: 'string' },
      },
      allowPositionals: true,
    });
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      `${what}; usage: npm test -- [--full] [--within MINUTES] [--second-run] [--named PATTERN] [part of a test file's path]…`,
    );
  }
}
