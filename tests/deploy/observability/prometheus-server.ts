import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, waitUntil } from '@maker/local-stack';
import { PROMETHEUS } from './prometheus-programs.ts';
import { installedRules, ruleFiles } from './rule-files.ts';

/** One series of an answer, with its values over time. */
export interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly values: readonly (readonly [number, string])[];
}

/** Addresses of the scraped metrics by job, such as 'http://127.0.0.1:4211'. */
export type Targets = Readonly<Record<string, string>>;

/** Differences from a stack that is scraped each second, with the chart's rules and without receivers. */
export interface PrometheusOptions {
  /** Host and port of Alertmanager. */
  readonly alertmanager?: string;
  /** Rules instead of the chart's. */
  readonly files?: readonly string[];
  /** Scrape interval. */
  readonly scrapeSeconds?: number;
  /** Evaluation interval of the rules; two scrape intervals by default. */
  readonly evaluationSeconds?: number;
}

/** A Prometheus that scrapes stacks. */
export interface PrometheusServer {
  /** Address of its pages. */
  readonly url: string;
  /** Queries a time range. @param from, to Unix seconds @throws Error with Prometheus' message */
  queryRange(expr: string, from: number, to: number, stepSeconds: number): Promise<Series[]>;
  /** Queries one time. @param at Unix seconds, now by default */
  query(expr: string, at?: number): Promise<{ metric: Record<string, string>; value: [number, string] }[]>;
  /** Any other part of its API, such as '/rules'. */
  get<Data>(path: string): Promise<Data>;
  stop(): Promise<void>;
}

/** Namespace of the targets, with one stack. */
export const NAMESPACE = 'stack';

/** Starts it for one stack. */
export const startPrometheus = (targets: Targets, options?: PrometheusOptions): Promise<PrometheusServer> =>
  startPrometheusOfMany({ [NAMESPACE]: targets }, options);

/** Starts it for several stacks. @param stacks targets of each, by its namespace */
export async function startPrometheusOfMany(
  stacks: Readonly<Record<string, Targets>>,
  {
    alertmanager,
    files = ruleFiles(),
    scrapeSeconds = 1,
    evaluationSeconds = 2 * scrapeSeconds,
  }: PrometheusOptions = {},
): Promise<PrometheusServer> {
  const directory = await mkdtemp(join(tmpdir(), 'maker-prometheus-'));
  const port = await freePort();
  // As the chart records them.
  const installed = join(directory, 'installed.json');
  const rules = Object.entries(stacks).flatMap(([namespace, targets]) =>
    installedRules(namespace, Object.keys(targets)),
  );
  await writeFile(installed, JSON.stringify({ groups: [{ name: 'maker-installed', rules }] }));
  const configuration = {
    global: {
      scrape_interval: `${scrapeSeconds}s`,
      scrape_timeout: `${scrapeSeconds}s`,
      evaluation_interval: `${evaluationSeconds}s`,
    },
    rule_files: [...files, installed],
    ...(alertmanager ? { alerting: { alertmanagers: [{ static_configs: [{ targets: [alertmanager] }] }] } } : {}),
    scrape_configs: [...jobsOf(stacks)].map(([job, static_configs]) => ({ job_name: job, static_configs })),
  };
  // JSON is YAML.
  await writeFile(join(directory, 'prometheus.yaml'), JSON.stringify(configuration));
  const log = await open(join(directory, 'prometheus.log'), 'w');
  const server = spawn(
    PROMETHEUS,
    [
      `--config.file=${join(directory, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=warn',
      '--enable-feature=exemplar-storage',
    ],
    { stdio: ['ignore', log.fd, log.fd] },
  );
  const base = `http://127.0.0.1:${port}`;

  const get = async <Data>(path: string): Promise<Data> => {
    const response = await fetch(`${base}/api/v1${path}`);
    const answer = (await response.json()) as { status: string; data: Data; error?: string };
    if (answer.status !== 'success') throw new Error(answer.error ?? `Prometheus answers ${response.status}`);
    return answer.data;
  };
  const stop = async (): Promise<void> => {
    const ended = once(server, 'exit');
    server.kill('SIGTERM');
    await ended;
    await log.close();
    await rm(directory, { recursive: true, force: true });
  };

  try {
    const ready = await waitUntil(async () => (await fetch(`${base}/-/ready`)).ok, { timeoutMs: 30_000 });
    if (!ready)
      throw new Error(`Prometheus is not ready: ${await readFile(join(directory, 'prometheus.log'), 'utf8')}`);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: base,
    get,
    stop,
    async queryRange(expr, from, to, stepSeconds) {
      const query = new URLSearchParams({ query: expr, start: `${from}`, end: `${to}`, step: `${stepSeconds}` });
      return (await get<{ result: Series[] }>(`/query_range?${query}`)).result;
    },
    async query(expr, at) {
      const query = new URLSearchParams({ query: expr, ...(at === undefined ? {} : { time: `${at}` }) });
      return (await get<{ result: { metric: Record<string, string>; value: [number, string] }[] }>(`/query?${query}`))
        .result;
    },
  };
}

/** The same service of several stacks is one job, distinguished by its namespace. */
function jobsOf(stacks: Readonly<Record<string, Targets>>): Map<string, object[]> {
  const jobs = new Map<string, object[]>();
  for (const [namespace, targets] of Object.entries(stacks))
    for (const [job, url] of Object.entries(targets)) {
      const scraped = { targets: [new URL(url).host], labels: { namespace } };
      jobs.set(job, [...(jobs.get(job) ?? []), scraped]);
    }
  return jobs;
}
