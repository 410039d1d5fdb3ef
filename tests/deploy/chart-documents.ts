import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CHART } from './chart.ts';
import { findTool } from './go-tool.ts';
import { valuesSchema } from './values-schema.ts';

const run = promisify(execFile);

/** What is made from values.yaml, by its path in the chart: the schema of the values, and the README. */
export async function chartDocuments(): Promise<Record<string, string>> {
  const values = await readFile(join(CHART, 'values.yaml'), 'utf8');
  const schema = `${JSON.stringify(valuesSchema(values, 'Values of hyperevm-maker-bot'), null, 2)}\n`;
  return { 'values.schema.json': schema, 'README.md': await readme() };
}

async function readme(): Promise<string> {
  const helmDocs = await findTool('helm-docs');
  const folder = await mkdtemp(join(tmpdir(), 'maker-chart-'));
  try {
    const copy = join(folder, 'hyperevm-maker-bot');
    await cp(CHART, copy, { recursive: true });
    await run(helmDocs, ['--chart-search-root', folder, '--sort-values-order', 'file', '--log-level', 'error']);
    return await readFile(join(copy, 'README.md'), 'utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
