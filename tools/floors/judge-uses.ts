import { isBuiltin } from 'node:module';
import { findCircles } from './find-circles.ts';
import { isForTests, type SourceFile } from './source-file.ts';

/** A project of the workspace. */
export interface Project {
  /** Relative to the workspace. */
  readonly folder: string;
  readonly name: string;
  /** Our projects among the dependencies of its package.json: the only declaration of who uses whom. */
  readonly uses: readonly string[];
  readonly files: readonly SourceFile[];
}

/** Entries that only some projects may import: private keys stay with the programs that sign. */
const USERS: Readonly<Record<string, readonly string[]>> = {
  '@maker/signing/private': ['apps/maker-executor', 'apps/ops'],
};

/** Projects that run in browsers or decide purely: they import none of Node's modules, and no project that may. */
const WITHOUT_NODE =
  /^(libs\/(rules|contracts|receipt|client|ui|web-kit)|apps\/(shell|token|amount|payment|terms|verify-page))$/;

/** Entries without Node of projects that have it elsewhere. */
const ENTRIES_WITHOUT_NODE = ['@maker/chain/venues', '@maker/signing/terms'];

/** The violations of the directions between projects, one sentence each. */
export function judgeUses(projects: readonly Project[]): string[] {
  const named = new Map(projects.map((project) => [project.name, project]));
  const circles = findCircles(new Map(projects.map(({ name, uses }) => [name, uses])));
  return [
    ...circles.map((circle) => `projects in a circle: ${circle.join(' → ')}`),
    ...projects.flatMap((project) => [...judgeDeclaration(project, named), ...judgeImports(project, named)]),
  ];
}

function judgeDeclaration({ folder, uses, files }: Project, named: ReadonlyMap<string, Project>): string[] {
  const imported = new Set(shippedImports(files).map(({ specifier }) => packageOf(specifier)));
  return uses.flatMap((name) => [
    ...(named.get(name)?.folder.startsWith('apps/')
      ? [`${folder} depends on the app ${name}; an app uses only libs`]
      : []),
    ...(imported.has(name) ? [] : [`${folder}/package.json depends on ${name}, which ${folder}/src does not import`]),
  ]);
}

function judgeImports({ folder, name: own, uses, files }: Project, named: ReadonlyMap<string, Project>): string[] {
  const hasNode = !WITHOUT_NODE.test(folder);
  return shippedImports(files).flatMap(({ path, line, specifier }) => {
    const refused = (why: string) => [`${folder}/src/${path}:${line} imports '${specifier}': ${why}`];
    if (isBuiltin(specifier)) return hasNode ? [] : refused(`${folder} runs without Node's modules`);
    const name = packageOf(specifier);
    if (!name?.startsWith('@maker/') || name === own) return [];
    if (!uses.includes(name)) return refused(`${folder}/package.json has no dependency ${name}`);
    if (USERS[specifier]?.includes(folder) === false) return refused(`only ${USERS[specifier].join(' and ')} may`);
    const isWithoutNode = WITHOUT_NODE.test(named.get(name)?.folder ?? '') || ENTRIES_WITHOUT_NODE.includes(specifier);
    return hasNode || isWithoutNode ? [] : refused(`${folder} runs without Node's modules, which ${name} may need`);
  });
}

function shippedImports(files: readonly SourceFile[]) {
  return files
    .filter(({ path }) => !isForTests(path))
    .flatMap(({ path, imports }) => imports.map((one) => ({ path, ...one })))
    .filter(({ specifier }) => !specifier.startsWith('.'));
}

function packageOf(specifier: string): string | undefined {
  return /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0];
}
