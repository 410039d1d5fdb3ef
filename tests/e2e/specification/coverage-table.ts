import { SENTENCES, type SentenceId, UNBINDING } from './sentences.ts';

/** Title and file of a test, by the sentence that it holds. */
export type HeldSentences = ReadonlyMap<SentenceId, readonly string[]>;

/** Sentences that no test holds. */
export function missingSentences(held: HeldSentences): readonly SentenceId[] {
  return (Object.keys(SENTENCES) as SentenceId[]).filter((id) => !held.get(id)?.length);
}

/** docs/specification-coverage.md. */
export function coverageTable(held: HeldSentences): string {
  const missing = missingSentences(held);
  const ids = Object.keys(SENTENCES) as SentenceId[];
  const sections = [...new Set(ids.map(sectionOf))];
  return [
    '# Which test holds which sentence of the specification',
    '',
    'Written by the browser tests themselves (`npm test -- e2e`): each names the sentences it holds, as listed in',
    '`tests/e2e/specification/sentences.ts`. A run fails when a sentence is held by no test, and on CI when this page is',
    'not what the run would write.',
    '',
    `${ids.length} sentences, ${missing.length} missing.`,
    ...sections.flatMap((section) => [
      '',
      `## § ${section}`,
      '',
      '| Sentence | Held by |',
      '| --- | --- |',
      ...ids.filter((id) => sectionOf(id) === section).map((id) => row(id, held.get(id) ?? [])),
    ]),
    '',
    '## What binds nothing',
    '',
    ...UNBINDING.map((sentence) => `- ${sentence}`),
    '',
  ].join('\n');
}

function row(id: SentenceId, tests: readonly string[]): string {
  const by = tests.length === 0 ? '**missing**' : [...tests].sort().map(cell).join('<br>');
  return `| ${cell(SENTENCES[id])} | ${by} |`;
}

function sectionOf(id: SentenceId): string {
  return id.split('.')[0] ?? '';
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('*', '\\*');
}
