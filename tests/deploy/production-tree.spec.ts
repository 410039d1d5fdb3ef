import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { billOfMaterials } from '../../tools/release/bill-of-materials.ts';
import { COMPONENTS } from '../../tools/release/components.ts';

const execute = promisify(execFile);

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'maker-trees-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(COMPONENTS)('the content of image %s', (component) => {
  let tree: string;

  beforeAll(async () => {
    tree = join(folder, component);
    const program = join('docker', 'production-tree.mjs');
    await execute(process.execPath, [program, `apps/${component}`, tree], { cwd: WORKSPACE_ROOT });
  });

  it('starts and needs configuration only', async () => {
    const directory = join(tree, 'apps', component);
    const command = ['--enable-source-maps', 'dist/main.js', ...(component === 'ops' ? ['canary'] : [])];
    const started = execute(process.execPath, command, { cwd: directory, env: {} });
    await expect(started).rejects.toMatchObject({ stderr: expect.stringContaining('OPS_PORT is missing') });
  });

  it('is byte for byte the program of stacks', async () => {
    const built = join(WORKSPACE_ROOT, 'apps', component, 'dist', 'bundle');
    const shipped = join(tree, 'apps', component, 'dist');
    const programs = (await readdir(built)).filter((file) => file.endsWith('.js'));
    expect((await readdir(shipped)).filter((file) => file.endsWith('.js'))).toEqual(programs);
    for (const file of programs) {
      expect((await readFile(join(shipped, file))).equals(await readFile(join(built, file))), file).toBe(true);
    }
  });

  it('maps to sources like its modules', async () => {
    const map = JSON.parse(await readFile(join(tree, 'apps', component, 'dist', 'main.js.map'), 'utf8'));
    const places = map.sources.map((source: string) => join('apps', component, 'dist', source));
    expect(places).toContain(join('apps', component, 'src', 'main.ts'));
    expect(places.filter((place: string) => !existsSync(join(WORKSPACE_ROOT, place)))).toEqual([]);
  });

  it('lists every bundled package', async () => {
    const sources = { folder: WORKSPACE_ROOT, commit: 'c0ffee', version: '0.1.0', committedAt: 1_700_000_000 };
    const bill = JSON.parse(await billOfMaterials({ component, folder: tree, bundled: new Set() }, sources));
    const named = bill.components.flatMap((one: { 'bom-ref': string }) => one['bom-ref'].split('#')[1] ?? []);
    const contents = join(WORKSPACE_ROOT, 'apps', component, 'dist', 'bundle', 'contents.json');
    expect(named.sort()).toEqual(JSON.parse(await readFile(contents, 'utf8')).packages.sort());
    expect(named).toContain('node_modules/pino');
    const files = await readdir(tree, { recursive: true, withFileTypes: true });
    const code = files.filter(
      (file) => file.isFile() && file.parentPath.includes('/node_modules/') && /\.[cm]?js$/.test(file.name),
    );
    expect(code).toEqual([]);
  });
});
