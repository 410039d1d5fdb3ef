import { expect, it } from 'vitest';
import { SENTENCES } from '../support/specification/sentences.ts';
import { holdingTests, specificationPage } from './specification-page.ts';

const tests = holdingTests();

it('every sentence of the specification has a browser test', () => {
  const held = new Set(tests.flatMap(({ sentences }) => sentences));
  expect(Object.keys(SENTENCES).filter((id) => !held.has(id))).toEqual([]);
});

it('docs/specification-coverage.md lists the tests (npm run docs:reference)', async () => {
  await expect(specificationPage(tests)).toMatchFileSnapshot('../../docs/specification-coverage.md');
});
