import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { findTool } from '../../tools/go-tool.ts';
import { CHART } from './chart.ts';
import { alertmanagerConfiguration } from './observability/alertmanager-configuration.ts';
import { inhibitions } from './observability/causes.ts';
import { serviceLevelRules } from './observability/service-level-rules.ts';
import { valuesSchema } from './values-schema.ts';

const run = promisify(execFile);

const madeFrom = (file: string) => `# Made by \`npm run chart\` from charts/hyperevm-maker-bot/alerting/${file}.\n`;

/** Replaces receivers that only the reader has. */
const RECEIVERS = {
  page: { webhook_configs: [{ url: 'https://pager.example.com/maker', send_resolved: true }] },
  note: { webhook_configs: [{ url: 'https://chat.example.com/maker', send_resolved: true }] },
  deadMansSwitch: { webhook_configs: [{ url: 'https://heartbeat.example.com/maker', send_resolved: false }] },
};

/**
 * The generated files, by their path from the chart: schema and README from values.yaml, Alertmanager's configuration from the
 * cause graph, and Prometheus rules from the service levels.
 */
export async function chartDocuments(): Promise<Record<string, string>> {
  const values = await readFile(join(CHART, 'values.yaml'), 'utf8');
  const schema = `${JSON.stringify(valuesSchema(values, 'Values of hyperevm-maker-bot'), null, 2)}\n`;
  const yaml = (file: string, content: object) =>
    madeFrom(file) + stringify(content, { lineWidth: 0, aliasDuplicateObjects: false });
  return {
    'values.schema.json': schema,
    'README.md': await readme(),
    'alerting/inhibitions.yaml': yaml('causes.yaml', inhibitions()),
    '../../k8s/alertmanager/alertmanager.yaml': yaml('causes.yaml', alertmanagerConfiguration(RECEIVERS)),
    'rules/slo.yaml': yaml('service-levels.yaml', await serviceLevelRules()),
  };
}

async function readme(): Promise<string> {
  const helmDocs = await findTool('helm-docs');
  const folder = await mkdtemp(join(tmpdir(), 'maker-chart-'));
  try {
    const copy = join(folder, 'hyperevm-maker-bot');
    await cp(CHART, copy, { recursive: true });
    await run(helmDocs, ['--chart-search-root', folder, '--sort-values-order', 'file', '--log-level', 'error']);
    return await readFile(join(copy, 'README.md'), 'utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
