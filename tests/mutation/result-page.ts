import type { FileVerdict } from './judge-report.ts';
import type { ExplainedSurvivor } from './survivors.ts';

const HEADER = '| File | Faults | Noticed | Out of time | Explained | Run on |';

/** Row of a file, by its path. */
export type Rows = ReadonlyMap<string, string>;

/** Rows of the page as it is. */
export function rowsOf(page: string): Rows {
  return new Map([...page.matchAll(/^\| `([^`]+\.ts)` \|.*$/gm)].map(([row, file = '']) => [file, row]));
}

/** @param day such as '2026-11-24' */
export function rowOf({ file, mutants, killed, timedOut, explained }: FileVerdict, day: string): string {
  return `| \`${file}\` | ${mutants} | ${killed} | ${timedOut} | ${explained} | ${day} |`;
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
    'the same in each run. Files whose tests need mongod, nats-server or anvil are in no list here: a minute for each fault is too long.',
    '',
    HEADER,
    '| --- | --- | --- | --- | --- | --- |',
    ...files.map((file) => rows.get(file) ?? `| \`${file}\` | | | | | never |`),
    '',
    '## Explained',
    ...explained.flatMap(([file, entries]) => ['', `### ${file}`, '', ...entries.map(explanation)]),
    '',
  ].join('\n');
}

function explanation({ line, fault, why }: ExplainedSurvivor): string {
  return `- ${code(fault)} in ${code(line)}: ${why}`;
}

function code(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}
