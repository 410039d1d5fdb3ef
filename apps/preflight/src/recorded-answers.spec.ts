import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { networkOf } from '@maker/chain';
import { describe, expect, it } from 'vitest';
import { preflight } from './preflight.ts';
import { reportText, works } from './report.ts';
import { replayed } from './request/recording.ts';
import type { Recording } from './run.ts';

const RECORDINGS = fileURLToPath(new URL('../recordings/', import.meta.url));

/** Of each folder, whether the product works with what was recorded; its report is kept beside it, for people to read. */
const WORKS: Readonly<Record<string, boolean>> = {
  'null-above-head-and-short-history': true,
  'strict-node': true,
  'wrong-router': false,
};

/** An answer of before is judged by the rules of today. */
function judged({ subject: { chainId, ...subject }, answers }: Recording) {
  const limits = subject.endpoints.map(() => undefined);
  return preflight({ ...subject, network: networkOf(chainId), limits }, replayed(answers));
}

describe('answers that were recorded by --record', () => {
  it('are each judged here', () => {
    const folders = globSync('*/preflight.json', { cwd: RECORDINGS }).map(dirname);
    expect(folders.sort()).toEqual(Object.keys(WORKS));
  });

  it.each(Object.entries(WORKS))('of %s are judged as they were, and hold no key', async (folder, isFine) => {
    const text = readFileSync(`${RECORDINGS}${folder}/preflight.json`, 'utf8');
    expect(text).not.toContain('canary');
    const recording = JSON.parse(text) as Recording;
    for (const endpoint of recording.subject.endpoints) expect(new URL(endpoint).pathname).toBe('/');
    const sections = await judged(recording);
    await expect(reportText(sections)).toMatchFileSnapshot(`${RECORDINGS}${folder}/report.txt`);
    expect(works(sections)).toBe(isFine);
  });
});
