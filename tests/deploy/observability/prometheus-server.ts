import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, waitUntil } from '@maker/local-stack';
import { PROMETHEUS } from './prometheus-programs.ts';
import { ruleFiles } from './rule-files.ts';

/** One series of an answer, with its values over time. */
export interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly values: readonly (readonly [number, string])[];
}

/** What is scraped: address of the metrics by job, such as 'http://127.0.0.1:4211'. */
export type Targets = Readonly<Record<string, string>>;

/** What may differ from a stack that is looked at each second, by the chart's rules, with nobody told. */
export interface PrometheusOptions {
  /** Host and port of who is told of alerts. */
  readonly alertmanager?: string;
  /** Of rules in place of the chart's. */
  readonly files?: readonly string[];
  /** Between two scrapes of a target. */
  readonly scrapeSeconds?: number;
  /** Between two looks at the rules; two scrapes unless told. */
  readonly evaluationSeconds?: number;
}

/** A Prometheus that scrapes stacks. */
export interface PrometheusServer {
  /** Where its pages are. */
  readonly url: string;
  /** Asks over a time. @param from, to Unix seconds @throws Error with what Prometheus says */
  queryRange(expr: string, from: number, to: number, stepSeconds: number): Promise<Series[]>;
  /** Asks for a point of time. @param at Unix seconds, now unless told */
  query(expr: string, at?: number): Promise<{ metric: Record<string, string>; value: [number, string] }[]>;
  /** Any other part of its API, such as '/rules'. */
  get<Data>(path: string): Promise<Data>;
  stop(): Promise<void>;
}

/** Namespace of what is scraped, where there is one stack. */
export const NAMESPACE = 'stack';

/** Starts it for one stack. */
export const startPrometheus = (targets: Targets, options?: PrometheusOptions): Promise<PrometheusServer> =>
  startPrometheusOfMany({ [NAMESPACE]: targets }, options);

/** Starts it for several stacks. @param stacks what is scraped of each, by its namespace */
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
  const configuration = {
    global: {
      scrape_interval: `${scrapeSeconds}s`,
      scrape_timeout: `${scrapeSeconds}s`,
      evaluation_interval: `${evaluationSeconds}s`,
    },
    rule_files: files,
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

/** The same service of several stacks is one job, told apart by its namespace. */
function jobsOf(stacks: Readonly<Record<string, Targets>>): Map<string, object[]> {
  const jobs = new Map<string, object[]>();
  for (const [namespace, targets] of Object.entries(stacks))
    for (const [job, url] of Object.entries(targets)) {
      const scraped = { targets: [new URL(url).host], labels: { namespace } };
      jobs.set(job, [...(jobs.get(job) ?? []), scraped]);
    }
  return jobs;
}
