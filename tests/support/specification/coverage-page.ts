import type { Break } from './break.ts';
import { SENTENCES, type SentenceId, UNBINDING } from './sentences.ts';

/** docs/specification-coverage.md, once every break was seen to fail its test. */
export function coveragePage(breaks: Readonly<Record<SentenceId, Break>>): string {
  const ids = Object.keys(SENTENCES) as SentenceId[];
  const sections = [...new Set(ids.map(sectionOf))];
  return [
    '# Which test fails when a sentence of the specification is broken',
    '',
    'Written by `npm run specification:break`: in a copy of the repository it changes one line for each sentence, as the table',
    'says, runs the named test, and writes this page when each of them has failed. The table is',
    '`tests/support/specification/breaks.ts`. The browser tests hold the same sentences once more in a real browser, in front of',
    "the real product: `grep -rn \"'2.token.form'\" tests/e2e` finds them by a sentence's name, and a whole run of them fails when one",
    'names a sentence nowhere.',
    '',
    `${ids.length} sentences, each broken once, none of it unseen.`,
    ...sections.flatMap((section) => [
      '',
      `## § ${section}`,
      '',
      '| Name | Sentence | Broken by | Then fails |',
      '| --- | --- | --- | --- |',
      ...ids.filter((id) => sectionOf(id) === section).map((id) => row(id, breaks[id])),
    ]),
    '',
    '## What binds nothing',
    '',
    ...UNBINDING.map((sentence) => `- ${sentence}`),
    '',
  ].join('\n');
}

function row(id: SentenceId, { file, from, to, spec, test }: Break): string {
  const change = to.trim() === '' ? `without ${code(from)}` : `${code(from)} → ${code(to)}`;
  return `| ${id} | ${cell(SENTENCES[id])} | ${code(file)} ${change} | ${code(spec)} ${cell(test)} |`;
}

function sectionOf(id: SentenceId): string {
  return id.split('.')[0] ?? '';
}

function code(text: string): string {
  const line = text
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|');
  return line.includes('`') ? `\`\` ${line} \`\`` : `\`${line}\``;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('*', '\\*');
}
