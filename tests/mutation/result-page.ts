import type { FileVerdict } from './judge-report.ts';
import type { ExplainedSurvivor } from './survivors.ts';

const HEADER = '| File | Faults | Noticed | Out of time | Explained | Left | Run on |';

/** Row of a file, by its path. */
export type Rows = ReadonlyMap<string, string>;

/** Rows of the page as it is, of files that were run. */
export function rowsOf(page: string): Rows {
  return new Map(
    [...page.matchAll(/^\| `([^`]+\.ts)` \|.* \d{4}-\d{2}-\d{2} \|$/gm)].map(([row, file = '']) => [file, row]),
  );
}

/** @param day such as '2026-11-24' */
export function rowOf({ file, mutants, killed, timedOut, explained, unexplained }: FileVerdict, day: string): string {
  return `| \`${file}\` | ${mutants} | ${killed} | ${timedOut} | ${explained} | ${unexplained.length} | ${day} |`;
}

/** docs/mutation.md. @param rows of the files that were run @param files all that are to be */
export function resultPage(
  rows: Rows,
  files: readonly string[],
  survivors: Readonly<Record<string, readonly ExplainedSurvivor[]>>,
): string {
  const explained = Object.entries(survivors).filter(([, entries]) => entries.length > 0);
  return [
    '# Faults put into what decides over money',
    '',
    'Written by `npm run test:mutation -- --write`. StrykerJS puts one fault after the other into each file, and runs the unit tests',
    'that read it. A fault that none of them notices is a test that is missing, a line that says nothing, or is explained in',
    '`tests/mutation/survivors.json`, from which the second part of this page is. The run fails for a fault that is noticed by no test',
    'and explained by nothing, and for an explanation whose fault is not there any more. Cases that tests make up (fast-check) are',
    'the same in each run. Left is what the last run of a fault found neither noticed nor explained. A file of no faults declares types only.',
    '',
    'Not in the list is what is tested only with mongod, nats-server or anvil, where each fault would take a minute: what sends, places,',
    'delivers, returns and books in `maker-executor`, the share of the blocks, the check of ended wallets and the writer of executions',
    'there, the repositories and handlers of all services, and crediting in `payment-watcher`.',
    'A fault costs 0.03 to 0.1 s of computing where a test notices it, and up to a few seconds where none does: it is tried with every test that',
    'reaches it, and again in a new thread. All of the list was run room by room in an evening, by one worker at the lowest priority beside',
    'others on two busy cores: the 970 faults of `libs/rules` in 18 minutes, of which most were loops without end, 424 of `job` in two.',
    'Each loop without end is given eight seconds of computing, however long that takes: 165 faults of the block scanner, of which one in four is one, took three to seven minutes.',
    '',
    summaryOf(files, rows),
    '',
    HEADER,
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...files.map((file) => rows.get(file) ?? `| \`${file}\` | | | | | | never |`),
    '',
    '## Explained',
    ...explained.flatMap(([file, entries]) => ['', `### ${file}`, '', ...entries.map(explanation)]),
    '',
  ].join('\n');
}

function summaryOf(files: readonly string[], rows: Rows): string {
  const run = files.flatMap((file) => rows.get(file) ?? []).map((row) => row.split('|').slice(2, 7).map(Number));
  const [mutants, noticed, outOfTime, explained, left] = [0, 1, 2, 3, 4].map((column) =>
    run.reduce((sum, cells) => sum + (cells[column] ?? 0), 0),
  );
  return `${run.length} of ${files.length} files were run: ${mutants} faults, ${noticed} noticed, ${outOfTime} out of time, ${explained} explained, ${left} left.`;
}

function explanation({ line, fault, why }: ExplainedSurvivor): string {
  return `- ${code(fault)} in ${code(line)}: ${why}`;
}

function code(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}
