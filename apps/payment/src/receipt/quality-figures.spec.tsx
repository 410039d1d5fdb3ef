import { parseHype } from '@maker/rules';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { QualityFigures } from './quality-figures.tsx';
import { receiptOf } from './receipt.fixture.ts';

it.each([
  ['0.5', 'Cost above that price, with all fees</dt><dd>0.5 HYPE'],
  ['-0.5', 'Saved below that price, with all fees</dt><dd>0.5 HYPE'],
])('reads as a positive figure: a shortfall of %s HYPE', (hype, text) => {
  const totalWei = hype.startsWith('-') ? `-${parseHype(hype.slice(1))}` : `${parseHype(hype)}`;
  const quality = { arrivalPriceX96: '1', averagePriceX96: '1', shortfall: { totalWei } } as never;
  expect(renderToStaticMarkup(<QualityFigures receipt={receiptOf()} quality={quality} />)).toContain(text);
});
