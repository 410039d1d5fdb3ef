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

/** A Prometheus that scrapes a stack every second. */
export interface PrometheusServer {
  /** Asks over a time. @param from, to Unix seconds @throws Error with what Prometheus says */
  queryRange(expr: string, from: number, to: number, stepSeconds: number): Promise<Series[]>;
  /** Asks for now. */
  query(expr: string): Promise<{ metric: Record<string, string>; value: [number, string] }[]>;
  /** Any other part of its API, such as '/rules'. */
  get<Data>(path: string): Promise<Data>;
  stop(): Promise<void>;
}

/** Namespace of everything that is scraped here. */
export const NAMESPACE = 'stack';

/**
 * Starts it, with the rules of the chart.
 * @param targets address of the metrics by job, such as 'http://127.0.0.1:4211'
 * @param alertmanager host and port of who is told of alerts
 * @param files of rules in place of the chart's
 */
export async function startPrometheus(
  targets: Readonly<Record<string, string>>,
  alertmanager?: string,
  files: readonly string[] = ruleFiles(),
): Promise<PrometheusServer> {
  const directory = await mkdtemp(join(tmpdir(), 'maker-prometheus-'));
  const port = await freePort();
  const configuration = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '2s' },
    rule_files: files,
    ...(alertmanager ? { alerting: { alertmanagers: [{ static_configs: [{ targets: [alertmanager] }] }] } } : {}),
    scrape_configs: Object.entries(targets).map(([job, url]) => ({
      job_name: job,
      static_configs: [{ targets: [new URL(url).host], labels: { namespace: NAMESPACE } }],
    })),
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
    get,
    stop,
    async queryRange(expr, from, to, stepSeconds) {
      const query = new URLSearchParams({ query: expr, start: `${from}`, end: `${to}`, step: `${stepSeconds}` });
      return (await get<{ result: Series[] }>(`/query_range?${query}`)).result;
    },
    async query(expr) {
      const query = new URLSearchParams({ query: expr });
      return (await get<{ result: { metric: Record<string, string>; value: [number, string] }[] }>(`/query?${query}`))
        .result;
    },
  };
}
