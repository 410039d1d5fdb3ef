import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { CHART } from './chart.ts';
import { chartDocuments } from './chart-documents.ts';

for (const [name, content] of Object.entries(await chartDocuments())) {
  await writeFile(join(CHART, name), content);
  console.log(`✓ ${relative(process.cwd(), join(CHART, name))}`);
}
