import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BREAKS } from '../support/specification/breaks.ts';
import { coveragePage } from '../support/specification/coverage-page.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', '..', path), 'utf8');

describe('the table of breaks', () => {
  it.each(Object.entries(BREAKS))('%s changes a line that stands once in its source', (_, { file, from, to }) => {
    expect(read(file).split(from), `run 'npm run specification:break' when the line has moved: ${from}`).toHaveLength(
      2,
    );
    expect(to).not.toBe(from);
  });

  it('matches docs/specification-coverage.md (npm run specification:break)', () => {
    expect(read('docs/specification-coverage.md')).toBe(coveragePage(BREAKS));
  });
});
