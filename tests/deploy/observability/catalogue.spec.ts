import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { catalogue, seriesNames } from './catalogue.ts';
import { metricsPage } from './metrics-page.ts';
import { WORKSPACE } from './rule-files.ts';

const entries = catalogue();
const ours = entries.filter(({ name }) => name.startsWith('maker_'));

/** Prometheus sets these labels in Kubernetes, and would rename our labels with the same names. */
const TARGET_LABELS = ['container', 'endpoint', 'instance', 'job', 'namespace', 'node', 'pod', 'service'];

const UNITS = [
  'seconds',
  'wei',
  'bytes',
  'blocks',
  'block',
  'addresses',
  'deposits',
  'jobs',
  'executions',
  'exchanges',
  'messages',
  'nonces',
  'ratio',
  'streams',
  'connections_in_use',
];
/** Metrics without a unit: booleans, or counts of the thing in the name. */
const UNITLESS = [
  'maker_api_key_file_refused',
  'maker_canary_orders_placed',
  'maker_execution_paused',
  'maker_execution_waiting_for_room',
  'maker_nats_connected',
  'maker_rpc_endpoint_state',
  'maker_service_up',
  'maker_wallet_ledger_drifting',
  'maker_wallet_owned',
  'maker_watcher_active',
  'maker_webhook_endpoint_file_refused',
];

it('matches docs/metrics.md (npm run docs:metrics)', async () => {
  await expect(metricsPage(entries)).toMatchFileSnapshot('../../../docs/metrics.md');
});

const READERS = ['charts/hyperevm-maker-bot/{rules,dashboards}/*', 'docs/runbooks/*.md'];
const texts = globSync(READERS, { cwd: WORKSPACE }).map((path) => readFileSync(join(WORKSPACE, path), 'utf8'));
const read = new Set(texts.flatMap((text) => text.match(/\bmaker_\w+/g) ?? []));

describe.each(ours)('$name', (entry) => {
  const { name, type, help, labels } = entry;

  it('follows maker_<subsystem>_<what>_<unit>, with _total for counters', () => {
    expect(name).toMatch(/^maker_[a-z]+(_[a-z]+)+$/);
    expect(name.endsWith('_total')).toBe(type === 'counter');
    if (type !== 'counter' && !UNITLESS.includes(name)) {
      expect(
        UNITS.some((unit) => name.endsWith(`_${unit}`)),
        name,
      ).toBe(true);
    }
  });

  it('is read by a rule, a board or a runbook', () => {
    expect([name, ...seriesNames(entry)].some((series) => read.has(series))).toBe(true);
  });

  it('has a help sentence with its unit', () => {
    expect(help).toMatch(/^[A-Z0-9].{10,}\.$/);
    if (name.includes('_wei')) expect(help).toContain('wei');
  });

  it('has closed labels, none of Prometheus’ own', () => {
    for (const [label, values] of Object.entries(labels)) {
      expect(TARGET_LABELS).not.toContain(label);
      expect(values?.length, label).toBeGreaterThan(0);
      expect(new Set(values).size).toBe(values?.length);
      expect(label).not.toMatch(/address|hash|job|key|url|id$|wallet|token/i);
    }
  });
});
