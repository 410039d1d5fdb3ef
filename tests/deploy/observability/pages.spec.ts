import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FAULTS_BY_PAGE } from './pages/faults-by-page.ts';
import { alerts } from './rule-files.ts';

const MOST_PAGES = 12;
const PAGES = [...new Set(alerts().flatMap(({ alert, labels }) => (labels?.severity === 'page' ? alert : [])))];
const RUNBOOK_RUNS = globSync('runbooks/*-runs.ts', { cwd: import.meta.dirname });
/** Alerts whose faults `npm run test:runbooks` causes. */
const RUN = RUNBOOK_RUNS.flatMap((file) =>
  [...readFileSync(join(import.meta.dirname, file), 'utf8').matchAll(/alert: '(\w+)'/g)].map(([, alert]) => alert),
);

/** Alerts that only promtool raises, and why. */
const NO_FAULT: Readonly<Record<string, string>> = {
  MakerNothingScraped: 'no metric of any stack may be left, and several stacks share the Prometheus of the test',
  MakerCanaryOverdue: 'no canary runs for the ten minutes that it may be away',
};

describe('pages', () => {
  it('are few', () => {
    expect(PAGES.length).toBeLessThanOrEqual(MOST_PAGES);
  });

  it.each(PAGES)('%s is raised by a real fault', (page) => {
    const raised = [...Object.keys(FAULTS_BY_PAGE), ...RUN];
    expect(raised.includes(page)).toBe(!(page in NO_FAULT));
  });
});
