import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packagedProgram } from '../../tools/tool.ts';
import { installPackedClient } from '../support/packed-client.ts';
import { quickstartPrograms } from '../support/quickstart-page.ts';

const run = promisify(execFile);

/** The package is only ESM: these resolutions before `exports` and of CommonJS do not apply. */
const NOT_ESM = ['node10', 'node16-cjs'];

let folder: string;
let packed: { archive: string; installed: string };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'maker-client-'));
  packed = await installPackedClient(folder);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

it('the packed client passes publint', async () => {
  const { messages, pkg } = await publint({ pkgDir: packed.installed, strict: true, pack: false });
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
});

it('every module resolver finds the types of the client', async () => {
  const result = await checkPackage(createPackageFromTarballData(new Uint8Array(await readFile(packed.archive))));
  if (!result.types) throw new Error('the package has no types');
  const problems = result.problems.filter(
    (problem) => !('resolutionKind' in problem && NOT_ESM.includes(problem.resolutionKind)),
  );
  expect(problems).toEqual([]);
});

it('ships no test and no dependency', async () => {
  const manifest = JSON.parse(await readFile(join(packed.installed, 'package.json'), 'utf8'));
  expect(manifest).not.toHaveProperty('dependencies');
  const { stdout } = await run('tar', ['-tzf', packed.archive]);
  expect(stdout.split('\n').filter((file) => /spec|fixture|tsbuildinfo/.test(file))).toEqual([]);
  expect(stdout).toContain('package/dist/index.d.ts');
});

it('the quickstart compiles in another project', async () => {
  const programs = [...(await quickstartPrograms())].filter(([name]) => name.endsWith('.ts'));
  expect(programs.map(([name]) => name)).toEqual(['job.ts', 'receiver.ts']);
  for (const [name, text] of programs) await writeFile(join(folder, name), text);
  const compilerOptions = { target: 'es2024', module: 'nodenext', strict: true, noEmit: true, types: ['node'] };
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  await symlink(join(WORKSPACE_ROOT, 'node_modules', '@types'), join(folder, 'node_modules', '@types'));
  const { stdout } = await run(packagedProgram('tsc'), ['-p', folder]).catch((error) => error);
  expect(stdout).toBe('');
});
