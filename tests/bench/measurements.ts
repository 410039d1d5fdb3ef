import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { WORKSPACE_ROOT } from '@maker/local-stack';
import { type Bound, type Figure, isReached, median } from './figure.ts';

const two = (value: number) => (value < 0.1 ? value.toPrecision(2) : value.toFixed(2));
const bound = (mustReach: Bound) =>
  'atLeast' in mustReach ? `≥ ${two(mustReach.atLeast)}` : `≤ ${two(mustReach.atMost)}`;

/** The figures as a table of Markdown. */
export function tableOf(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const { name, peer, ratios, mustReach, behind } = figure;
    const spread = `${two(Math.min(...ratios))}–${two(Math.max(...ratios))}`;
    const verdict = isReached(figure) ? 'yes' : '**no**';
    return `| ${[name, peer, two(median(ratios)), spread, bound(mustReach), verdict, behind].join(' | ')} |`;
  });
  return [
    '| figure | peer | ours ÷ peer, median | spread | must reach | reached | behind it |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

/** `docs/measurements.md`: the table, and what it was measured with. @param loadBefore load of the machine before the run */
export function measurementsPage(figures: readonly Figure[], rounds: number, loadBefore: number): string {
  return `# Measurements

Written by \`npm run bench\`. Each figure is a ratio against its peer in the same run, since only that means anything on another
machine; what stands behind it is for the reader. Median and spread are of ${rounds} rounds, in which both sides took turns.

${tableOf(figures)}

Measured on ${new Date().toISOString().slice(0, 10)} at ${commit()}: ${machine(loadBefore)}.
${versions()}.
`;
}

function machine(loadBefore: number): string {
  const [first] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} × ${first?.model.trim() ?? 'an unknown processor'}, ${memory} GiB, everything on loopback, load ${loadBefore.toFixed(1)} before the run (now ${loadavg()[0]?.toFixed(1)})`;
}

function versions(): string {
  const packages = ['fastify', '@nestjs/core', '@nats-io/transport-node', 'mongodb', 'viem', 'autocannon'];
  const versionOf = (name: string): string =>
    JSON.parse(readFileSync(join(WORKSPACE_ROOT, 'node_modules', name, 'package.json'), 'utf8')).version;
  return [`Node ${process.versions.node}`, ...packages.map((name) => `${name} ${versionOf(name)}`)].join(', ');
}

function commit(): string {
  return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: WORKSPACE_ROOT, encoding: 'utf8' }).trim();
}
