import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BOARDS } from '../../../tools/dashboards/boards.ts';
import { expectKnownSeries } from './known-series.ts';
import { partsOf } from './promql.ts';
import { alerts, recordings, rules, WORKSPACE } from './rule-files.ts';

const SEVERITIES = ['page', 'ticket', 'info'];
const RUNBOOKS = join(WORKSPACE, 'docs/runbooks');

const recorded = new Set(recordings().map(({ record }) => record));
const isAboutRecords = (expr: string) => partsOf(expr).names.every((name) => recorded.has(name));
const nameOf = ({ alert, record, labels = {} }: ReturnType<typeof rules>[number]) =>
  [alert ?? record, labels.sloth_severity ?? labels.sloth_slo, labels.sloth_window].filter(Boolean).join(' ');

describe.each(rules().map((rule) => ({ ...rule, name: nameOf(rule) })))('$name', ({ expr }) => {
  it('names only series, labels and values of the catalogue', () => expectKnownSeries(expr));

  it('keeps the namespaces of two installations apart', () => {
    // Recorded series have kept them; a bare number is the same in all.
    if (!expr.startsWith('absent(') && !isAboutRecords(expr)) expect(expr).toMatch(/namespace/);
  });
});

describe.each(alerts().map((alert) => ({ ...alert, name: alert.alert })))('$name', ({ alert, labels, annotations }) => {
  it('has severity, summary and runbook', () => {
    expect(alert).toMatch(/^Maker[A-Z]\w+$/);
    expect(SEVERITIES).toContain(labels?.severity);
    expect(annotations?.summary).toMatch(/^[A-Z].{5,80}[^.]$/);
    expect(annotations?.description).toMatch(/\.$/);
    const runbook = annotations?.runbook_url ?? '';
    expect(runbook).toMatch(/^docs\/runbooks\/[a-z-]+\.md$/);
    expect(existsSync(join(WORKSPACE, runbook)), runbook).toBe(true);
    expect(readFileSync(join(WORKSPACE, runbook), 'utf8')).toContain(alert);
  });
});

describe('runbooks', () => {
  const files = globSync('*.md', { cwd: RUNBOOKS, exclude: ['README.md'] }).sort();

  it.each(files)('%s explains meaning, checks and remedy', (file) => {
    const text = readFileSync(join(RUNBOOKS, file), 'utf8');
    expect(text.startsWith('# ')).toBe(true);
    for (const heading of ['## What it means', '## Check', '## Do']) expect(text, heading).toContain(heading);
  });

  it.each(files)('%s belongs to an alert', (file) => {
    const used = alerts().map(({ annotations }) => basename(annotations?.runbook_url ?? ''));
    expect(used).toContain(file);
  });

  it('are the ones that panels name', () => {
    const named = JSON.stringify(BOARDS).matchAll(/[Rr]unbook ([a-z-]+)/g);
    for (const [, name] of named) expect(files, `runbook ${name}`).toContain(`${name}.md`);
  });
});
