import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Break } from './break.ts';
import { BREAKS } from './breaks.ts';
import { coveragePage } from './coverage-page.ts';
import type { SentenceId } from './sentences.ts';

// npm run specification:break [-- part of a sentence's name ...]: breaks each sentence once in a copy, and tells which
// breaks no test saw. All of them seen: writes docs/specification-coverage.md.

const ROOT = join(import.meta.dirname, '..', '..', '..');
const PAGE = join(ROOT, 'docs', 'specification-coverage.md');

/** The repository's files, with its installed packages linked and its own packages taken from the copy. */
function copyRepository(): string {
  const copy = mkdtempSync(join(tmpdir(), 'specification-break-'));
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: ROOT })
    .toString()
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(ROOT, path)));
  for (const path of files) cpSync(join(ROOT, path), join(copy, path), { recursive: true });
  mkdirSync(join(copy, 'node_modules', '@maker'), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (name !== '@maker') symlinkSync(join(ROOT, 'node_modules', name), join(copy, 'node_modules', name));
  }
  for (const path of files.filter((path) => /^(apps|libs)\/[^/]+\/package\.json$/.test(path))) {
    const { name } = JSON.parse(readFileSync(join(copy, path), 'utf8')) as { name: string };
    symlinkSync(join(copy, dirname(path)), join(copy, 'node_modules', name));
  }
  return copy;
}

interface TestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
}

/** Runs tests of one file by their titles. @returns how many passed and failed; a file that cannot be loaded has neither */
function runTests(copy: string, spec: string, title: string): Promise<TestReport> {
  const report = join(copy, 'report.json');
  rmSync(report, { force: true });
  const pattern = title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const program = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const args = [
    program,
    'run',
    '--project',
    'unit',
    '--project',
    'screens',
    spec,
    '-t',
    pattern,
    '--reporter=json',
    `--outputFile=${report}`,
  ];
  return new Promise((resolve) => {
    // The outcome is in the report: a failing run is what is asked for.
    execFile(process.execPath, args, { cwd: copy }, () =>
      resolve(
        existsSync(report)
          ? (JSON.parse(readFileSync(report, 'utf8')) as TestReport)
          : { numPassedTests: 0, numFailedTests: 0 },
      ),
    );
  });
}

/** What is wrong with a break, or nothing. */
async function tryBreak(copy: string, { file, from, to, spec, test }: Break): Promise<string | undefined> {
  const path = join(copy, file);
  const source = readFileSync(path, 'utf8');
  if (source.split(from).length !== 2) return `${file} does not hold this once: ${from}`;
  writeFileSync(
    path,
    source.replace(from, () => to),
  );
  const { numPassedTests, numFailedTests } = await runTests(copy, spec, test);
  writeFileSync(path, source);
  if (numFailedTests > 0) return undefined;
  return numPassedTests > 0 ? `no test fails: ${spec} ${test}` : `no test ran: ${spec} ${test}`;
}

const wanted = process.argv.slice(2);
const ids = (Object.keys(BREAKS) as SentenceId[]).filter(
  (id) => wanted.length === 0 || wanted.some((part) => id.includes(part)),
);
const copy = copyRepository();
const unseen: string[] = [];
try {
  for (const spec of new Set(ids.map((id) => BREAKS[id].spec))) {
    const { numPassedTests, numFailedTests } = await runTests(copy, spec, '');
    if (numFailedTests > 0 || numPassedTests === 0) unseen.push(`${spec}: fails while nothing is broken`);
  }
  for (const id of ids) {
    const problem = await tryBreak(copy, BREAKS[id]);
    console.log(problem === undefined ? `✓ ${id}` : `✗ ${id}: ${problem}`);
    if (problem !== undefined) unseen.push(id);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(
  `${ids.length} sentences broken, ${unseen.length} unseen${unseen.length > 0 ? `: ${unseen.join(', ')}` : ''}`,
);
if (unseen.length > 0) process.exitCode = 1;
else if (wanted.length === 0) writeFileSync(PAGE, coveragePage(BREAKS));
