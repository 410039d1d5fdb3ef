import { describe, expect, it } from 'vitest';
import { pageOf } from './path.ts';

describe('routes', () => {
  it.each([
    ['/', 'wizard'],
    ['/terms', 'terms'],
    ['/terms/', 'terms'],
    ['/no-such-page', 'wizard'],
  ] as const)('shows at %s the page %s (specification § 2)', (path, page) => {
    expect(pageOf(path)).toBe(page);
  });
});
