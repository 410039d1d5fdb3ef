import { describe, expect, it } from 'vitest';
import { judgeUses, type Project } from './judge-uses.ts';
import { readSourceFile } from './source-file.ts';

function project(folder: string, text: string, uses: readonly string[] = []): Project {
  return { folder, name: `@maker/${folder.split('/')[1]}`, uses, files: [readSourceFile('main.ts', text)] };
}

const RULES = project('libs/rules', '');
const CHAIN = project('libs/chain', `import '@maker/rules';\nimport 'node:fs';`, ['@maker/rules']);
const SIGNING = project('libs/signing', '');

const judge = (...projects: Project[]) => judgeUses([RULES, CHAIN, SIGNING, ...projects]);

describe('imports of other projects', () => {
  it('are those of package.json', () => {
    expect(judge(project('apps/job', `import '@maker/chain';`, ['@maker/chain']))).toEqual([]);
    expect(judge(project('apps/job', `import '@maker/chain';`, ['@maker/rules']))).toEqual([
      'apps/job/package.json depends on @maker/rules, which apps/job/src does not import',
      "apps/job/src/main.ts:1 imports '@maker/chain': apps/job/package.json has no dependency @maker/chain",
    ]);
  });

  it('never lead to an app', () => {
    const job = project('apps/job', '');
    expect(judge(job, project('apps/site', `import '@maker/job';`, ['@maker/job']))).toEqual([
      'apps/site depends on the app @maker/job; an app uses only libs',
    ]);
  });

  it('form no circle', () => {
    const [one, two] = [
      project('libs/one', `import '@maker/two';`, ['@maker/two']),
      project('libs/two', `import '@maker/one';`, ['@maker/one']),
    ];
    expect(judge(one, two)).toEqual(['projects in a circle: @maker/one → @maker/two → @maker/one']);
  });

  it('reach private keys only in programs that sign', () => {
    const signer = (folder: string) => project(folder, `import '@maker/signing/private';`, ['@maker/signing']);
    expect(judge(signer('apps/ops'), signer('apps/maker-executor'))).toEqual([]);
    expect(judge(signer('apps/job'))).toEqual([
      "apps/job/src/main.ts:1 imports '@maker/signing/private': only apps/maker-executor and apps/ops may",
    ]);
  });

  it('keep Node out of rules and browsers', () => {
    const why = "apps/token runs without Node's modules";
    expect(judge(project('apps/token', `import 'fs';\nimport '@maker/rules';`, ['@maker/rules']))).toEqual([
      `apps/token/src/main.ts:1 imports 'fs': ${why}`,
    ]);
    expect(judge(project('apps/token', `import '@maker/chain';`, ['@maker/chain']))).toEqual([
      `apps/token/src/main.ts:1 imports '@maker/chain': ${why}, which @maker/chain may need`,
    ]);
    expect(judge(project('libs/receipt', `import '@maker/chain/venues';`, ['@maker/chain']))).toEqual([]);
    expect(judge(project('libs/receipt', `import '@maker/signing/terms';`, ['@maker/signing']))).toEqual([]);
  });

  it('of tests are free', () => {
    const spec = readSourceFile('main.spec.ts', `import '@maker/local-stack';`);
    expect(judge({ ...project('apps/job', ''), files: [spec] })).toEqual([]);
  });
});
