import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { parse } from 'yaml';
import config from '../../vitest.config.ts';
import { PROJECTS } from '../playwright.projects.ts';

/** A workflow of .github/workflows. */
export interface Pipeline {
  readonly name: string;
  /** What starts it, such as `each pull request`. */
  readonly starts: readonly string[];
  readonly commands: readonly Command[];
}

/** A shell command of a workflow, with a value of the matrix. */
export interface Command {
  readonly text: string;
  /** The longest that its job may take, min. */
  readonly minutes: number;
}

interface Job {
  readonly 'timeout-minutes': number;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly string[]>> };
  readonly steps: readonly { readonly run?: string }[];
}

interface Workflow {
  readonly name: string;
  readonly on: Readonly<Record<string, unknown>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

/** A target of tests/package.json. */
interface Round {
  readonly command?: string;
  readonly options?: { readonly command: string };
  readonly metadata?: { readonly scope: string };
}

const read = (path: string) => readFileSync(join(WORKSPACE_ROOT, path), 'utf8');
const rounds: Readonly<Record<string, Round>> = JSON.parse(read('tests/package.json')).nx.targets;

/** Files with tests, relative to the workspace. */
export function testFiles(): readonly string[] {
  return globSync('{apps,libs,tools,tests}/**/*.{spec.ts,spec.tsx,prometheus.ts,e2e.ts}', {
    cwd: WORKSPACE_ROOT,
    exclude: ['**/{node_modules,dist}'],
  }).sort();
}

/** Programs of package.json that test or measure, and are no call of `npm test`. */
export function testPrograms(): readonly string[] {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> };
  return Object.keys(scripts).filter(
    (name) => /^(test|bench)\b/.test(name) && !/ test(?= |$)/.test(scripts[name] ?? ''),
  );
}

/** The workflows, in the order in which a commit meets them. */
export function readPipelines(): readonly Pipeline[] {
  const order = ['pull-request', 'nightly', 'weekly', 'release'];
  const place = (path: string) => order.indexOf(basename(path, '.yaml'));
  return globSync('.github/workflows/*.yaml', { cwd: WORKSPACE_ROOT })
    .sort((one, other) => place(one) - place(other))
    .map((path) => {
      const { name, on, jobs }: Workflow = parse(read(path));
      const starts = Object.entries(on).flatMap(([event, settings]) => startOf(event, settings));
      return { name, starts, commands: Object.values(jobs).flatMap(commandsOf) };
    });
}

function startOf(event: string, settings: unknown): readonly string[] {
  const { branches = [], tags = [] } = (settings ?? {}) as { branches?: string[]; tags?: string[] };
  if (event === 'pull_request') return ['each pull request'];
  if (event === 'push') return [...branches, ...tags].map((pushed) => `a push of \`${pushed}\``);
  if (event === 'schedule') return (settings as { cron: string }[]).map(({ cron }) => `cron \`${cron}\` (UTC)`);
  return event === 'workflow_dispatch' ? ['by hand'] : [event];
}

function commandsOf({ strategy, steps, 'timeout-minutes': minutes }: Job): readonly Command[] {
  const written = steps.flatMap(({ run = '' }) => run.split('\n')).filter((line) => line !== '');
  const texts = Object.entries(strategy?.matrix ?? {}).reduce(
    (lines, [key, values]) =>
      lines.flatMap((line) => {
        const place = `\${{ matrix.${key} }}`;
        return line.includes(place) ? values.map((value) => line.replaceAll(place, value)) : [line];
      }),
    written,
  );
  return texts.map((text) => ({ text, minutes }));
}

/** The rounds that a command of `npm test` names, or those of `npm test` without words. */
export function roundsOf(command: string): readonly string[] {
  if (!/^npm test\b/.test(command)) return [];
  const named = [...command.matchAll(/--round (\S+)/g)].map(([, round = '']) => round);
  if (named.length > 0) return named;
  return Object.keys(rounds).filter((round) => rounds[round]?.metadata?.scope === 'quick');
}

/** Names of rounds; targets without metadata take files and are no rounds. */
export const ROUNDS: readonly string[] = Object.keys(rounds).filter((round) => rounds[round]?.metadata);

/** Test files of a round, relative to the workspace. @throws Error for a round or project that does not exist */
export function filesOfRound(round: string): readonly string[] {
  const command = rounds[round]?.command ?? rounds[round]?.options?.command;
  if (!command) throw new Error(`tests/package.json has no round ${round}`);
  const projects = [...command.matchAll(/--project (\S+)/g)].map(([, project = '']) => project);
  return projects.flatMap(command.startsWith('playwright') ? filesInBrowser : filesOfProject);
}

function filesOfProject(name: string): readonly string[] {
  for (const project of config.test?.projects ?? []) {
    if (typeof project !== 'object' || !('test' in project) || project.test?.name !== name) continue;
    const { include = [], exclude = [] } = project.test;
    return globSync([...include], { cwd: WORKSPACE_ROOT, exclude: [...exclude, '**/node_modules'] });
  }
  throw new Error(`vitest.config.ts has no project ${name}`);
}

function filesInBrowser(name: string): readonly string[] {
  const project = PROJECTS.find((one) => one.name === name);
  if (!project) throw new Error(`playwright.projects.ts has no project ${name}`);
  const { testMatch = '**/*.e2e.ts', testIgnore = [] } = project;
  const cwd = join(WORKSPACE_ROOT, 'tests/e2e');
  return globSync(testMatch, { cwd, exclude: testIgnore }).map((file) => `tests/e2e/${file}`);
}

const [BEGIN, END] = ['<!-- pipelines: npm run docs:reference -->\n', '<!-- end of pipelines -->'];

/** CONTRIBUTING.md with the table of pipelines as the workflows are. @throws Error if the page has no place for it */
export function contributingPage(): string {
  const page = read('CONTRIBUTING.md');
  const [before, rest] = page.split(BEGIN);
  const [, after] = rest?.split(END) ?? [];
  if (after === undefined) throw new Error('CONTRIBUTING.md has no place for the table of pipelines');
  return `${before}${BEGIN}\n${pipelineTable()}\n\n${END}${after}`;
}

/** A row for each round and command, with the longest that its job may take in each pipeline. */
function pipelineTable(): string {
  const pipelines = readPipelines();
  const shown = pipelines.map(({ commands }) =>
    commands.flatMap(({ text, minutes }) => namesOf(text).map((name) => ({ name, minutes }))),
  );
  const minutesIn = (column: readonly { name: string; minutes: number }[], of: string) =>
    column.find(({ name }) => name === of)?.minutes;
  const names = [...new Set(shown.flat().map(({ name }) => name))];
  const lines = [
    ['starts', ...pipelines.map(({ starts }) => starts.join(', '))],
    ...names.map((name) => [name, ...shown.map((column) => minutesOf(minutesIn(column, name)))]),
  ];
  const header = ['round or command', ...pipelines.map(({ name }) => name)];
  const widths = header.map((title, at) => Math.max(title.length, ...lines.map((line) => line[at]?.length ?? 0)));
  const row = (cells: readonly string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [row(header), row(widths.map((width) => '-'.repeat(width))), ...lines.map(row)].join('\n');
}

const minutesOf = (minutes: number | undefined) => (minutes === undefined ? '' : `${minutes} min`);

/** The rounds of a command, the command itself if npm runs it, or the scan. */
function namesOf(command: string): readonly string[] {
  const [npm] = /\bnpm run .*/.exec(command) ?? [];
  if (npm) return [`\`${npm.replace(/ --registry .*/, '')}\``];
  if (command.includes('osv-scanner" scan')) return ['osv-scanner over the bills of materials'];
  return roundsOf(command).map((round) => `\`${round}\``);
}
