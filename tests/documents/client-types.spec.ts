import { join } from 'node:path';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { expect, it } from 'vitest';
import { clientTypes } from './client-types.ts';

it('the client has the types of the API (npm run docs:reference)', async () => {
  await expect(clientTypes()).toMatchFileSnapshot(join(WORKSPACE_ROOT, 'libs', 'client', 'src', 'api-types.ts'));
});
