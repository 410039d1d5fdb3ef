import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { describe, expect, it } from 'vitest';

const read = (page: string) => readFileSync(join(WORKSPACE_ROOT, 'docs', page), 'utf8');
const measurements = read('measurements.md');

/** A section of measurements.md as its link names it, without thousands separators. */
function sectionOf(anchor: string): string {
  const [, section = ''] =
    new RegExp(`^## ${anchor.replaceAll('-', ' ')}\\n([\\s\\S]*?)(?=^## )`, 'm').exec(measurements) ?? [];
  return section.replaceAll(/(?<=\d),(?=\d{3})/g, '');
}

/** Rows of scaling.md with the section of measurements.md that they cite. */
const cited = read('scaling.md')
  .split('\n')
  .flatMap((line) => {
    const [, anchor] = /\]\(measurements\.md#([\w-]+)\)/.exec(line) ?? [];
    return line.startsWith('|') && anchor !== undefined ? [{ anchor, cost: line.split('|')[2]?.trim() ?? '' }] : [];
  });

describe('docs/scaling.md', () => {
  it.each(cited)('takes its figures of $anchor from the measurements: $cost', ({ anchor, cost }) => {
    const section = sectionOf(anchor);
    const figures = cost.replaceAll(/(?<=\d),(?=\d{3})/g, '').match(/\d+(?:\.\d+)?/g) ?? [];
    expect(figures.length).toBeGreaterThan(0);
    expect(figures.filter((figure) => !new RegExp(`(?<![\\d.])${figure}(?![\\d.]*\\d)`).test(section))).toEqual([]);
  });

  it('cites each measured part', () => {
    expect(cited.map(({ anchor }) => anchor).sort()).toEqual(['creations', 'executors', 'live-channels', 'visitors']);
  });
});
