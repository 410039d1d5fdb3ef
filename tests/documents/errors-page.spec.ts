import { expect, it } from 'vitest';
import { errorsPage } from './errors-page.ts';

it('docs/errors.md lists every error (npm run docs:reference)', async () => {
  await expect(errorsPage()).toMatchFileSnapshot('../../docs/errors.md');
});
