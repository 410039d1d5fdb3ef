/** `npm run screens`: shows every screen in every state without a stack, and rebuilds them after each change of a source. */
import { aborted, runCommand } from '@maker/local-stack/command';
import { buildApps } from '../build-workspace.ts';
import { PAGES } from '../stack-apps.ts';
import { watchPages } from '../watch-builds.ts';
import { servePreviews } from './preview-server.ts';

const PORT = 4290;

await runCommand(async ({ signal }) => {
  await buildApps(signal, PAGES);
  if (signal.aborted) return 130;
  const server = await servePreviews(PORT);
  watchPages(signal);
  console.log(`✓ screens at http://localhost:${PORT}/screens; it updates after each change of a source`);
  await aborted(signal);
  server.closeAllConnections();
  server.close();
  return 0;
});
