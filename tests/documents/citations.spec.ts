import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { brokenCitations, type Library, sectionsOf } from './citations.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: ROOT })
  .toString()
  .split('\0')
  .filter((path) => path !== '' && existsSync(join(ROOT, path)));
const library: Library = {
  sections: {
    design: sectionsOf(read('docs/design.md')),
    specification: sectionsOf(read('docs/specification.md')),
    hyperevm: sectionsOf(read('docs/hyperevm.md')),
  },
  files,
};

it('every citation leads to a heading', () => {
  const broken = files.flatMap((path) => {
    const text = read(path);
    return text.includes('\0') ? [] : brokenCitations(path, text, library);
  });
  expect(broken).toEqual([]);
});

describe('brokenCitations', () => {
  const faults = (line: string) => brokenCitations('a.ts', `first line\n${line}`, library);

  it.each([
    '// Source: design § 4a.',
    'design §§ 2.4, 4 and 5',
    "Source: specification § 9 'Terms of Service', design § 4 'Amounts' and 'Return address'.",
    'Source: hyperevm § 2.0. @returns wei',
    'Source: docs/adr/0004.',
  ])('finds nothing wrong with: %s', (line) => {
    expect(faults(line)).toEqual([]);
  });

  it.each([
    ['design § 11', /^a\.ts:2: design has no § 11$/],
    ['design §§ 2.7 and 4', /design has no § 2\.7$/],
    ["specification § 9 'Amounts'", /has no heading 'Amounts'$/],
    ['performance § 3', /documents are design, specification, hyperevm$/],
    ['as § 4 says', /cited as <document> § <number>/],
    ['design §4', /cited as <document> § <number>/],
    ['Design § 4', /cited as <document> § <number>/],
    ['Source: docs/adr/9999.', /there is no docs\/adr\/9999$/],
    ['Source: docs/structure.md', /there is no docs\/structure\.md$/],
  ])('names file and line of: %s', (line, fault) => {
    expect(faults(line)).toEqual([expect.stringMatching(fault)]);
  });
});
