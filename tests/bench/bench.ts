/**
 * Measures how fast the product is, each figure as a ratio against a peer in the same run, prints a table and writes it to
 * docs/measurements.md. `npm run bench`; with `-- --smoke` everything is measured once, for a moment, and nothing is written;
 * with `-- polled` only the parts whose name holds that, and nothing is written either. Exits 1 where a figure is not reached.
 */
import { writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { WORKSPACE_ROOT } from '@maker/local-stack';
import { type Figure, isReached, SMOKE, WHOLE } from './figure.ts';
import { measurementsPage, tableOf } from './measurements.ts';
import { PARTS } from './parts.ts';

const smoke = process.argv.includes('--smoke');
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const parts = Object.entries(PARTS).filter(
  ([name]) => wanted.length === 0 || wanted.some((word) => name.includes(word)),
);
if (parts.length === 0) throw new Error(`No part is named so; there are: ${Object.keys(PARTS).join(', ')}`);

const effort = smoke ? SMOKE : WHOLE;
const loadBefore = loadavg()[0] ?? Number.NaN;
const figures: Figure[] = [];
for (const [name, measure] of parts) {
  console.log(`… ${name}`);
  figures.push(...(await measure(effort)));
}
console.log(tableOf(figures));
if (!smoke && wanted.length === 0) {
  await writeFile(
    join(WORKSPACE_ROOT, 'docs', 'measurements.md'),
    measurementsPage(figures, effort.rounds, loadBefore),
  );
}
if (!smoke && !figures.every(isReached)) process.exitCode = 1;
