import { expect, it } from 'vitest';
import { verdictText } from './verdict-text.ts';

const verdict = {
  cautions: [],
  service: 'A job of an unknown service.',
  proven: ['The fee is 30 %.'],
  asserted: ['The service says “all is well”.'],
  unknown: ['Whether 0xcc is the treasury.'],
};
const receipt = { jobId: 'job_1', state: 'final', chainId: 999 } as never;

it('separates proven, asserted and unknown facts', () => {
  expect(verdictText(verdict, receipt)).toMatchInlineSnapshot(`
    "Receipt of job 'job_1', final, chain 999
    A job of an unknown service.

    Proven by the chain:
    ✓ The fee is 30 %.

    Said by the service, and not proven:
    - The service says “all is well”.

    Not known:
    ? Whether 0xcc is the treasury.

    The chain confirms every fact of this receipt that it can show.
    1 point is not known: read it. The verifier confirms neither these points nor the statements of the service."
  `);
});

it('names the broken rule and nothing after it', () => {
  const broken = { rule: 'fee', problem: 'The fee was taken 2 times.' };
  expect(verdictText({ ...verdict, broken, asserted: [], unknown: [] }, receipt)).toMatchInlineSnapshot(`
    "Receipt of job 'job_1', final, chain 999
    A job of an unknown service.

    Proven by the chain:
    ✓ The fee is 30 %.
    ✗ The fee was taken 2 times.

    NOT CONFIRMED: do not rely on this receipt."
  `);
});

it('counts the unknown points', () => {
  expect(verdictText({ ...verdict, unknown: ['a', 'b'] })).toContain('2 points are not known: read them.');
  expect(verdictText({ ...verdict, unknown: [] })).not.toContain('not known');
});

it('begins with what a payer must know first', () => {
  const cautions = ['The fee was taken and nothing was bought.', 'Not agreed before payment.'];
  expect(verdictText({ ...verdict, cautions }, receipt).split('\n')[0]).toBe(cautions.join(' '));
});
