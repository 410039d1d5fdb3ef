import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientConfigurationSchema } from '@maker/contracts';
import { freePort } from '@maker/local-stack';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { serveSite } from '../support/site-server.ts';

/** All browser apps. */
export const APPS = ['shell', 'token', 'amount', 'payment', 'terms', 'verify-page'] as const;

/** One of the site's builds. */
export type BrowserApp = (typeof APPS)[number];

const HASH = /(?<=[.-])[0-9a-f]{12}(?=\.)/;
/** A remote's entry contains the id of its build. */
const BUILD = /(?<=_build=")[0-9a-f]+/g;
const TEXT = /\.(?:js|css|html)$/;

/** The built site on its own server, whose apps a test can redeploy or remove. */
export interface DeployableSite {
  url: string;
  /** Replaces an app's files as a new build would: all hashed names change. */
  deploy(app: BrowserApp): Promise<void>;
  /** Removes an app's files. */
  remove(app: BrowserApp): Promise<void>;
  /** Restores them. */
  restore(app: BrowserApp): Promise<void>;
  stop(): Promise<void>;
}

/** Serves a copy of the built apps. The test answers API calls below `/api`. @param publicUrl its address for browsers; its own by default */
export async function startDeployableSite(publicUrl?: string): Promise<DeployableSite> {
  const folder = await mkdtemp(join(tmpdir(), 'maker-site-'));
  const web = (app: BrowserApp): string => join(folder, app, 'dist', 'web');
  for (const app of APPS) {
    await cp(join(WORKSPACE_ROOT, 'apps', app, 'dist', 'web'), web(app), {
      recursive: true,
      // Precompressed copies would keep the old content.
      filter: (source) => !/\.(?:br|gz|map)$/.test(source),
    });
  }
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const configuration = clientConfigurationSchema.parse({
    apiBaseUrl: `${publicUrl ?? url}/api`,
    apiKey: 'key',
    botWalletAddress: '0x1111111111111111111111111111111111111111',
  });
  const running = await serveSite({ configuration, appsDirectory: folder, watch: true }, port);
  return {
    url,
    deploy: (app) => renameBuild(web(app)),
    remove: (app) => rename(web(app), `${web(app)}.away`),
    restore: (app) => rename(`${web(app)}.away`, web(app)),
    async stop() {
      await running.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function renameBuild(directory: string): Promise<void> {
  const files = (await readdir(directory, { recursive: true })).sort();
  const hashes = files.flatMap((file) => HASH.exec(file)?.[0] ?? []);
  const other = (hash: string): string => [...hash].reverse().join('');
  const renamed = (text: string): string =>
    hashes.reduce((sofar, hash) => sofar.replaceAll(hash, other(hash)), text.replace(BUILD, other));
  for (const file of files.filter((name) => TEXT.test(name))) {
    const path = join(directory, file);
    await writeFile(path, renamed(await readFile(path, 'utf8')));
  }
  for (const file of files.filter((name) => HASH.test(name))) {
    await rename(join(directory, file), join(directory, renamed(file)));
  }
}
