import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { judgeReport, type MutationReport } from './judge-report.ts';
import { mutatedFiles } from './mutated-files.ts';
import { resultPage, rowOf, rowsOf } from './result-page.ts';
import { SURVIVORS } from './survivors.ts';

// npm run test:mutation [-- --write] [parts of paths ...]: puts faults into what decides over money, and fails for one that no test
// notices and nothing explains. With --write the page gets the rows of what was run.

const ROOT = join(import.meta.dirname, '..', '..');
const REPORT = join(ROOT, 'test-results', 'mutation', 'report.json');
const PAGE = join(ROOT, 'docs', 'mutation.md');

const parts = process.argv.slice(2).filter((arg) => arg !== '--write');
const isWritten = process.argv.includes('--write');
const files = mutatedFiles().filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)));
if (files.length === 0) {
  console.error(`✗ no file of tests/mutation/stryker.config.json has ${parts.join(' or ')} in its path`);
  process.exit(1);
}
/** Its packages are installed with this command alone, and find the workspace's Vitest above themselves. */
const STRYKER = join(import.meta.dirname, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
rmSync(REPORT, { force: true });
const { status } = spawnSync(
  process.execPath,
  [STRYKER, 'run', 'tests/mutation/stryker.config.json', '--mutate', files.join(',')],
  { cwd: ROOT, stdio: 'inherit' },
);
if (status !== 0 || !existsSync(REPORT)) process.exit(status || 1);

const report = JSON.parse(readFileSync(REPORT, 'utf8')) as MutationReport;
// What only declares types has nothing to put a fault into, and is not in the report.
const withoutFaults = Object.fromEntries(files.map((file) => [file, { source: '', mutants: [] }]));
const verdicts = judgeReport({ files: { ...withoutFaults, ...report.files } }, SURVIVORS);
for (const { file, unexplained, stale } of verdicts) {
  for (const { line, fault } of unexplained) console.error(`✗ ${file}: no test notices ${fault}\n    in ${line}`);
  for (const { line, fault } of stale)
    console.error(`✗ ${file}: explained, but not to be found: ${fault}\n    in ${line}`);
}
const explained = verdicts.filter(({ unexplained, stale }) => unexplained.length + stale.length === 0);
if (isWritten) {
  const rows = new Map(rowsOf(existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : ''));
  const day = new Date().toISOString().slice(0, 10);
  for (const verdict of verdicts) rows.set(verdict.file, rowOf(verdict, day));
  writeFileSync(PAGE, resultPage(rows, mutatedFiles(), SURVIVORS));
}
console.log(`${explained.length} of ${verdicts.length} files: every fault is noticed or explained`);
process.exitCode = explained.length === verdicts.length ? 0 : 1;
