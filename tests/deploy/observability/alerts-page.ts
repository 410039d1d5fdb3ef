import { basename } from 'node:path';
import { alerts } from './rule-files.ts';

const INTRODUCTION = `# Alerts

Every alert of the chart. A script writes this page from \`charts/hyperevm-maker-bot/rules\`: run \`npm run docs:reference\` after a change.
Open the runbook when an alert wakes you. An alert of severity \`page\` wakes you; a \`ticket\` waits for working hours.
`;

/** Names of the rule files in the order of the page, with their headings. */
const HEADINGS: Readonly<Record<string, string>> = {
  'money.yaml': 'Money',
  'services.yaml': 'Services',
  'slo.yaml': 'Service levels',
  'canary.yaml': 'Canary',
  'servers.yaml': 'Servers',
};

/** The page `docs/alerts.md`. @throws Error if a rule file has no heading here */
export function alertsPage(): string {
  const every = alerts();
  const unknown = every.filter(({ file }) => !(file in HEADINGS));
  if (unknown.length > 0) throw new Error(`no heading for ${unknown[0]?.file}`);
  const sections = Object.entries(HEADINGS).map(([file, heading]) => {
    const rows = every
      .filter((alert) => alert.file === file)
      .map(({ alert, for: wait = '', labels = {}, annotations = {} }) => {
        const name = basename(annotations.runbook_url ?? '', '.md');
        return `| \`${alert}\` | ${labels.severity} | ${wait} | ${annotations.summary} | [${name}](runbooks/${name}.md) |`;
      });
    return `## ${heading}\n\n| alert | severity | after | summary | runbook |\n|---|---|---|---|---|\n${rows.join('\n')}\n`;
  });
  return [INTRODUCTION, ...sections].join('\n');
}
