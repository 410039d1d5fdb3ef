import { EXPORTERS } from '../../../tools/dashboards/exporters.ts';
import { type CatalogueEntry, SERVICES } from './catalogue.ts';

const INTRODUCTION = `# Metrics

Made from the code by \`npm run docs:metrics\`; a test fails when this page and the code differ.

- Names are \`maker_<subsystem>_<what>_<unit>\`, and \`_total\` for counters. Times are seconds. Amounts of HYPE are wei,
  rounded to a double: for exact amounts ask the ledger. Heights and distances on the chain are blocks.
- The values of every label are a closed list. No job id, address, hash, key or path is ever a label's value.
- Figures "as the database has them" are read at each scrape and are the same in every replica: take \`max\`. Counters and
  the gauges of a process (connections, leases held) are its own: take \`sum\`.
- Prometheus adds \`namespace\`, \`job\`, \`instance\` and \`pod\` of the scraped process.
- A series with a known set of labels exists from the start with 0, so that \`increase()\` sees the first event.
`;

/** The catalogue as the page `docs/metrics.md`. */
export function metricsPage(entries: readonly CatalogueEntry[]): string {
  const ours = entries.filter(({ name }) => name.startsWith('maker_'));
  const subsystems = [...new Set(ours.map(subsystemOf))];
  const sections = subsystems.map(
    (subsystem) =>
      `## ${subsystem}\n\n${ours
        .filter((entry) => subsystemOf(entry) === subsystem)
        .map(entryLines)
        .join('\n')}`,
  );
  const others = entries.filter(({ name }) => !name.startsWith('maker_'));
  return [INTRODUCTION, ...sections, nodeSection(others), exporterSection()].join('\n');
}

function subsystemOf({ name }: CatalogueEntry): string {
  return name.split('_')[1] ?? '';
}

function entryLines({ name, type, help, labels, services }: CatalogueEntry): string {
  const of = services.length === SERVICES.length ? 'every service' : services.join(', ');
  const lines = Object.entries(labels).map(
    ([label, values]) => `- \`${label}\`: ${values?.map((value) => `\`${value}\``).join(', ')}\n`,
  );
  return `### ${name}\n\n${type}, ${of}. ${help}\n${lines.length > 0 ? `\n${lines.join('')}` : ''}`;
}

function nodeSection(entries: readonly CatalogueEntry[]): string {
  const rows = entries.map(
    ({ name, type, help, labels }) => `| ${name} | ${type} | ${Object.keys(labels).join(', ')} | ${help} |`,
  );
  return `## Node's own

Of every service, from prom-client; the values of their labels are Node's (kinds of garbage collection, spaces of the heap,
kinds of resources, its version).

| name | type | labels | what |
|---|---|---|---|
${rows.join('\n')}
`;
}

function exporterSection(): string {
  const sections = EXPORTERS.map(({ name, how, board, series }) => {
    const rows = Object.entries(series).map(([one, labels]) => `| ${one} | ${labels.join(', ')} |`);
    return `### ${name}\n\nRun ${how}. [Board of its publisher](${board}).\n\n| name | labels used |\n|---|---|\n${rows.join('\n')}\n`;
  });
  return `## Of the servers

The platform's own exporters show these, and alerts read them where they run. For the servers themselves use the boards of their publishers.
For Node's own metrics use [NodeJS Application Dashboard](https://grafana.com/grafana/dashboards/11159).

${sections.join('\n')}`;
}
