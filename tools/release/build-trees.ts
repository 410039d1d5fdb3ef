import { cp, mkdir, readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { BROWSER_BUILDS, COMPONENTS, type Component } from './components.ts';
import type { RunStep } from './run-step.ts';

/** The content of an image under /app. */
export interface Tree {
  readonly component: Component;
  readonly folder: string;
  /** npm packages that are bundled into other files, by their place in the lockfile. */
  readonly bundled: ReadonlySet<string>;
}

/** A source in a source map; its path is relative to its app. */
const SOURCE = /^webpack:\/\/(?:@[^/]+\/)?[^/]+\/(.+)$/;
/** The package of a file in the workspace. */
const PACKAGE = /^((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/** Installs and builds the sources, and copies the content of each image. */
export async function buildTrees(run: RunStep, sources: string, target: string): Promise<readonly Tree[]> {
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], { directory: sources });
  const program = (name: string) => join(sources, 'node_modules', '.bin', name);
  const programs = COMPONENTS.map((component) => `apps/${component}`);
  const projects = [...programs, 'libs/ui', 'libs/receipt', 'libs/web-kit'];
  await run(program('tsc'), ['-b', ...projects, 'libs/web-kit/tsconfig.build.json'], { directory: sources });
  await run(process.execPath, ['docker/bundle-service.mjs', ...programs], { directory: sources });
  const environment = { NODE_ENV: 'production' };
  for (const app of Object.keys(BROWSER_BUILDS)) {
    await run(program('rspack'), ['build'], { directory: join(sources, 'apps', app), environment });
  }
  const trees: Tree[] = [];
  for (const component of COMPONENTS) {
    const folder = join(target, component);
    await run(process.execPath, ['docker/production-tree.mjs', `apps/${component}`, folder], { directory: sources });
    const bundled = component === 'site' ? await addBrowserBuilds(sources, join(folder, 'site')) : [];
    trees.push({ component, folder, bundled: new Set(bundled) });
  }
  return trees;
}

/** Copies the browser builds without source maps. @returns places in the lockfile of their packages, by the source maps */
async function addBrowserBuilds(sources: string, site: string): Promise<readonly string[]> {
  const packages: string[] = [];
  for (const [app, place] of Object.entries(BROWSER_BUILDS)) {
    const build = join(sources, 'apps', app, 'dist', 'web');
    await mkdir(join(site, place), { recursive: true });
    await cp(build, join(site, place), { recursive: true, filter: (path) => !path.endsWith('.map') });
    const files = await readdir(build, { recursive: true });
    for (const file of files.filter((name) => name.endsWith('.map'))) {
      const map = JSON.parse(await readFile(join(build, file), 'utf8')) as { sources: readonly string[] };
      packages.push(...map.sources.flatMap((source) => packageOf(app, source) ?? []));
    }
  }
  return packages;
}

function packageOf(app: string, source: string): string | undefined {
  const [, path] = SOURCE.exec(source) ?? [];
  return path && PACKAGE.exec(posix.join('apps', app, path))?.[1];
}
