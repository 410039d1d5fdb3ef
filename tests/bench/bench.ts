/**
 * Measures the product's speed, each figure as a ratio to a peer in the same run. Prints a table and writes it to docs/measurements.md.
 * `npm run bench`; `-- polled` measures only the parts with that in their name, and writes only their sections. `-- --smoke`
 * measures each figure once for a moment and writes nothing. Exits 1 if a figure misses its bound.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { type Figure, isReached, SMOKE, WHOLE } from './figure.ts';
import { sectionOf, tableOf, withSection } from './measurements.ts';
import { PARTS } from './parts.ts';
import { measureLoad } from './quiet.ts';

const PAGE = join(WORKSPACE_ROOT, 'docs', 'measurements.md');

const smoke = process.argv.includes('--smoke');
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const parts = Object.entries(PARTS).filter(
  ([name]) => wanted.length === 0 || wanted.some((word) => name.includes(word)),
);
if (parts.length === 0) throw new Error(`No part has that name; parts: ${Object.keys(PARTS).join(', ')}`);

const figures: Figure[] = [];
for (const [name, measure] of parts) {
  console.log(`… ${name}`);
  if (smoke) {
    figures.push(...(await measure(SMOKE)));
    continue;
  }
  const before = await measureLoad();
  const measured = await measure(WHOLE);
  const section = sectionOf(name, measured, before, await measureLoad());
  console.log(section);
  await writeFile(PAGE, withSection(await readFile(PAGE, 'utf8'), section, Object.keys(PARTS)));
  figures.push(...measured);
}
if (smoke) console.log(tableOf(figures));
if (!smoke && !figures.every(isReached)) process.exitCode = 1;
