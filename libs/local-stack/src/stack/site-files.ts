import { existsSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientConfiguration } from '@maker/contracts';
import { NotBuiltError } from '../errors.ts';
import { WORKSPACE_ROOT } from '../paths.ts';
import { REMOTES } from './description.ts';

/** The files that apps/site serves. */
export interface SiteFiles {
  /** The builds, laid out as in an image: the shell's in `shell/`, each remote's in `remotes/<name>/`, the `/verify` page in `verify/`. */
  directory: string;
  /** The file served to browsers as `/config.json`. */
  configurationFile: string;
}

/**
 * Lays builds out in `directory` as an image has them.
 * @param apps folder of the apps, each with its build in `<app>/dist/web`; default: the checkout's own
 * @throws NotBuiltError
 */
export async function layOutSite(
  directory: string,
  configuration: ClientConfiguration,
  apps: string = join(WORKSPACE_ROOT, 'apps'),
): Promise<SiteFiles> {
  const site = { directory: join(directory, 'files'), configurationFile: join(directory, 'config.json') };
  await rm(directory, { recursive: true, force: true });
  await mkdir(join(site.directory, 'remotes'), { recursive: true });
  // Links, so that the site serves a new build immediately.
  await symlink(build(apps, 'shell'), join(site.directory, 'shell'));
  for (const name of REMOTES) await symlink(build(apps, name), join(site.directory, 'remotes', name));
  await symlink(build(apps, 'verify-page'), join(site.directory, 'verify'));
  await writeFile(site.configurationFile, JSON.stringify(configuration));
  return site;
}

function build(apps: string, app: string): string {
  const directory = join(apps, app, 'dist', 'web');
  if (!existsSync(directory)) throw new NotBuiltError(directory);
  return directory;
}
