/**
 * Measures how fast the product is, each figure as a ratio against a peer in the same run, prints a table and writes it to
 * docs/measurements.md. `npm run bench`; with `-- polled` only the parts whose name holds that, whose sections alone are written; with
 * `-- --smoke` everything is measured once, for a moment, and nothing is written. Exits 1 where a figure is not reached.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { type Figure, isReached, SMOKE, WHOLE } from './figure.ts';
import { sectionOf, tableOf, withSection } from './measurements.ts';
import { PARTS } from './parts.ts';
import { lookAtMachine } from './quiet.ts';

const PAGE = join(WORKSPACE_ROOT, 'docs', 'measurements.md');

const smoke = process.argv.includes('--smoke');
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const parts = Object.entries(PARTS).filter(
  ([name]) => wanted.length === 0 || wanted.some((word) => name.includes(word)),
);
if (parts.length === 0) throw new Error(`No part is named so; there are: ${Object.keys(PARTS).join(', ')}`);

const figures: Figure[] = [];
for (const [name, measure] of parts) {
  console.log(`… ${name}`);
  if (smoke) {
    figures.push(...(await measure(SMOKE)));
    continue;
  }
  const before = await lookAtMachine();
  const measured = await measure(WHOLE);
  const section = sectionOf(name, measured, before, await lookAtMachine());
  console.log(section);
  await writeFile(PAGE, withSection(await readFile(PAGE, 'utf8'), section, Object.keys(PARTS)));
  figures.push(...measured);
}
if (smoke) console.log(tableOf(figures));
if (!smoke && !figures.every(isReached)) process.exitCode = 1;
