import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningStack, StackError, startStack, UsageError } from '@maker/local-stack';
import { runCommand, seconds } from '@maker/local-stack/command';
import { buildApps } from './build-workspace.ts';
import { findChromium } from './chromium.ts';
import { closingLine, NO_TESTS, playwrightCounts, sum, type TestCounts, vitestCounts } from './test-counts.ts';
import { choosePhases, RESULTS_DIRECTORY, type TestPhase } from './test-phases.ts';
import { packagedProgram, runTool } from './tool.ts';

/** These use the built product as a visitor or an operator would, over its addresses. */
const NEEDS_STACK: readonly TestPhase['name'][] = ['system', 'browser'];

/** These run the built services. */
const NEEDS_BUILD: readonly TestPhase['name'][] = [...NEEDS_STACK, 'chaos', 'deploy', 'api-fuzz', 'observability'];

/** How a phase is run. */
interface PhaseRun {
  phase: TestPhase;
  /** Where the tool leaves its report. */
  report: string;
  environment: Record<string, string>;
  signal: AbortSignal;
}

async function runVitest({ phase, report, environment, signal }: PhaseRun): Promise<TestCounts> {
  const args = ['run', '--project', phase.name, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const tool = { signal, output: 'show', environment } as const;
  const { code } = await runTool(packagedProgram('vitest'), [...args, ...phase.files], tool);
  return vitestCounts(report, code);
}

async function runPlaywright({ phase, report, environment, signal }: PhaseRun): Promise<TestCounts> {
  const chromium = await findChromium(() => console.log('… installing Chromium'));
  const { code } = await runTool(
    packagedProgram('playwright'),
    ['test', '--config', 'tests/playwright.config.ts', ...phase.files],
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
  return playwrightCounts(report, code);
}

async function runPhases(phases: TestPhase[], signal: AbortSignal): Promise<TestCounts> {
  const counts: TestCounts[] = [];
  const reports = await mkdtemp(join(tmpdir(), 'maker-test-reports-'));
  let running: RunningStack | undefined;
  try {
    for (const phase of phases) {
      if (signal.aborted) break;
      const environment: Record<string, string> = {};
      if (NEEDS_STACK.includes(phase.name)) {
        running ??= await startTestStack(signal);
        environment.STACK_FILE = join(running.directory, 'stack.json');
      }
      console.log(`\n${phase.name} tests`);
      const run = phase.name === 'browser' ? runPlaywright : runVitest;
      counts.push(await run({ phase, report: join(reports, `${phase.name}.json`), environment, signal }));
    }
  } catch (error) {
    if (signal.aborted) return sum(counts);
    // A part that cannot even begin is a failure among the others, not instead of them.
    console.error(error instanceof StackError ? `✗ ${error.message}` : error);
    counts.push({ ...NO_TESTS, failed: 1 });
  } finally {
    await running?.stop();
    await rm(reports, { recursive: true, force: true });
  }
  return sum(counts);
}

async function startTestStack(signal: AbortSignal): Promise<RunningStack> {
  const began = Date.now();
  const running = await startStack({ directory: join(RESULTS_DIRECTORY, 'stack'), ports: 'free', signal });
  console.log(`✓ stack for the tests (${seconds(Date.now() - began)}), logs in test-results/stack/logs`);
  return running;
}

await runCommand(async ({ args, signal }) => {
  const unknown = args.find((arg) => arg.startsWith('-'));
  if (unknown) throw new UsageError(`unknown option ${unknown}; usage: npm test -- [part of a test file's path]…`);
  const phases = choosePhases(args);
  if (phases.length === 0) throw new UsageError(`no test file's path holds ${args.join(' or ')}`);
  if (phases.some(({ name }) => NEEDS_BUILD.includes(name))) {
    if (!(await buildApps(signal))) {
      if (signal.aborted) return 130;
      console.log(closingLine({ ...NO_TESTS, failed: 1 }));
      return 1;
    }
  }
  const counts = await runPhases(phases, signal);
  if (signal.aborted) return 130;
  console.log(`\n${closingLine(counts)}`);
  return counts.failed > 0 || counts.passed === 0 ? 1 : 0;
});
