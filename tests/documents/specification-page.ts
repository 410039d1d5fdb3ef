import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SENTENCES, type SentenceId, UNBINDING } from '../support/specification/sentences.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const HOLDING_TEST = /\btest\(\s*(['"`])(?<title>.+?)\1,\s*holds\((?<ids>[^)]*)\)/g;

/** A browser test and the sentences that it names with `holds`. */
interface HoldingTest {
  readonly file: string;
  readonly title: string;
  readonly sentences: readonly string[];
}

/** All browser tests that name sentences. @throws for a call of `holds` with another form than `test('title', holds('…'), …)` */
export function holdingTests(): HoldingTest[] {
  return globSync('tests/e2e/*.e2e.ts', { cwd: ROOT })
    .sort()
    .flatMap((file) => {
      const source = readFileSync(join(ROOT, file), 'utf8');
      const tests = [...source.matchAll(HOLDING_TEST)].map(({ groups: { title = '', ids = '' } = {} }) => ({
        file,
        title,
        sentences: sentencesIn(ids, source),
      }));
      if (tests.length !== source.split(/\bholds\(/).length - 1)
        throw new Error(`${file}: cannot read a call of holds`);
      return tests;
    });
}

/** Sentences in the arguments of `holds`: by name, by a template such as `9.terms.${name}`, or from the rows `sentence: '…'` of a table. */
function sentencesIn(ids: string, source: string): string[] {
  const named = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, id = '']) => id);
  const prefixes = named(ids, /`([^`$]+)\$\{/g);
  return [
    ...named(ids, /'([^']+)'/g),
    ...(/\bsentence\b/.test(ids) ? named(source, /\bsentence: '([^']+)'/g) : []),
    ...Object.keys(SENTENCES).filter((id) => prefixes.some((prefix) => id.startsWith(prefix))),
  ];
}

/** docs/specification-coverage.md. */
export function specificationPage(tests: readonly HoldingTest[]): string {
  const ids = Object.keys(SENTENCES) as SentenceId[];
  const sections = [...new Set(ids.map(sectionOf))];
  return [
    '# Specification coverage',
    '',
    'Find the browser test that holds a sentence of the specification. `npm run docs:reference` writes this page from',
    '`tests/support/specification/sentences.ts` and `tests/e2e`. A unit test fails when no browser test holds a sentence.',
    ...sections.flatMap((section) => [
      '',
      `## § ${section}`,
      '',
      '| Name | Sentence | Browser test |',
      '| --- | --- | --- |',
      ...ids.filter((id) => sectionOf(id) === section).map((id) => row(id, tests)),
    ]),
    '',
    '## Sentences that bind nothing',
    '',
    ...UNBINDING.map((sentence) => `- ${sentence}`),
    '',
  ].join('\n');
}

function row(id: SentenceId, tests: readonly HoldingTest[]): string {
  const holding = tests.filter(({ sentences }) => sentences.includes(id));
  const cells = holding.map(({ file, title }) => `\`${file.replace('tests/e2e/', '')}\` ${cell(title)}`);
  return `| ${id} | ${cell(SENTENCES[id])} | ${cells.join('; ')} |`;
}

function sectionOf(id: SentenceId): string {
  return id.split('.')[0] ?? '';
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('*', '\\*');
}
