import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { SHARED_MODULES } from '../src/federation/remotes.ts';

/** The installed version of each package that the shell provides to the remotes. */
export function sharedVersions(): Readonly<Record<string, string>> {
  const { resolve } = createRequire(import.meta.url);
  return Object.fromEntries(
    SHARED_MODULES.map((module) => {
      const packageName = module.split('/', module.startsWith('@') ? 2 : 1).join('/');
      const { version } = JSON.parse(readFileSync(resolve(`${packageName}/package.json`), 'utf8')) as {
        version: string;
      };
      return [module, version];
    }),
  );
}
