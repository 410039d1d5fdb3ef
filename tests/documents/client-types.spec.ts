import { join } from 'node:path';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { expect, it } from 'vitest';
import { clientTypes } from './client-types.ts';

// To update them, run `npm run docs:reference`.
it('the client has the types of the API', async () => {
  await expect(clientTypes()).toMatchFileSnapshot(join(WORKSPACE_ROOT, 'libs', 'client', 'src', 'api-types.ts'));
});
