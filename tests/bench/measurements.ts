import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { type Bound, type Figure, isReached, median } from './figure.ts';
import type { Quiet } from './quiet.ts';

const two = (value: number) => (value < 0.1 ? value.toPrecision(2) : value.toFixed(2));
const bound = (mustReach: Bound) =>
  'atLeast' in mustReach ? `≥ ${two(mustReach.atLeast)}` : `≤ ${two(mustReach.atMost)}`;

/** The figures as a Markdown table. */
export function tableOf(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const { name, peer, ratios, mustReach, behind } = figure;
    const spread = ratios.length > 1 ? `${two(Math.min(...ratios))}–${two(Math.max(...ratios))}` : 'once';
    const verdict = isReached(figure) ? 'yes' : '**no**';
    return `| ${[name, peer, two(median(ratios)), spread, bound(mustReach), verdict, behind].join(' | ')} |`;
  });
  return [
    '| figure | peer | ours ÷ peer, median | spread | must reach | reached | behind it |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

/** The section of a part: its table, its time, and the load of the machine. */
export function sectionOf(name: string, figures: readonly Figure[], before: Quiet, after: Quiet): string {
  const share = (quiet: Quiet) => `${Math.round(quiet.share * 100)} %`;
  return `## ${name}

${tableOf(figures)}

Measured on ${new Date().toISOString().slice(0, 10)} at ${commit()}, ${before.nice === 0 ? 'as any process' : `at nice ${before.nice}`}. A loop that only computes got ${share(before)} of each processor before
and ${share(after)} after it; others took the rest (load ${before.load.toFixed(1)} and ${after.load.toFixed(1)}, ours in it).
`;
}

/**
 * Replaces the section of a part in `docs/measurements.md`; text below it that people wrote stays.
 * @param order of the parts
 */
export function withSection(page: string, section: string, order: readonly string[]): string {
  const titleOf = (text: string) => text.slice('## '.length, text.indexOf('\n'));
  const place = (text: string) => (order.includes(titleOf(text)) ? order.indexOf(titleOf(text)) : order.length);
  const others = page
    .split(/^(?=## )/m)
    .slice(1)
    .filter((other) => titleOf(other) !== titleOf(section));
  const sections = [...others, section].toSorted((one, other) => place(one) - place(other));
  return `${[head(), ...sections].map((text) => text.trimEnd()).join('\n\n')}\n`;
}

function head(): string {
  const [first] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `# Measurements

Written by \`npm run bench\`, a section by each part; what is below the parts is written by people. Each figure is a ratio against its peer
in the same run, since only that means anything on another machine; what stands behind it is for the reader. Medians and spreads are of
rounds in which both sides took turns.

${cpus().length} × ${first?.model.trim() ?? 'an unknown processor'}, ${memory} GiB, everything on loopback. ${versions()}.
`;
}

function versions(): string {
  const versionOf = (folder: string) => (name: string) =>
    `${name} ${JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version}`;
  const used = ['fastify', '@nestjs/core', '@nats-io/transport-node', 'mongodb', 'viem'].map(versionOf(WORKSPACE_ROOT));
  return [`Node ${process.versions.node}`, ...used, versionOf(import.meta.dirname)('autocannon')].join(', ');
}

function commit(): string {
  return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: WORKSPACE_ROOT, encoding: 'utf8' }).trim();
}
