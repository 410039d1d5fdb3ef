import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { judgeFile } from './judge-file.ts';
import { judgeWorkspace, shapesOf } from './judge-workspace.ts';

const ROOT = join(import.meta.dirname, '../..');
const SHAPES = ['uniswap-v2', 'uniswap-v3', 'curve'];

function judge(text: string, mayImport = false): string[] {
  return judgeFile({ path: 'apps/job/src/planted.tsx', text, mayImport }, SHAPES);
}

describe('code outside of the folder of a shape', () => {
  it.each([
    ['a comparison', `if (exchange.kind === 'uniswap-v3') buy();`],
    ['a comparison from the other side', `const is = "curve" == kind;`],
    ['a switch', `switch (kind) {\n  case 'uniswap-v2':\n    break;\n}`],
    ['a template', 'const is = kind === `uniswap-v3`;'],
    ['a list', `const is = ['uniswap-v2', other].includes(kind);`],
    ['a set', `const PAIRS = new Set(['uniswap-v2']);`],
    ['a map', `const GAS = { 'uniswap-v3': 1n }[kind];`],
    ['a map with plain keys', `const GAS = { curve: 1n }[kind];`],
    ['a record type', `type Gas = { curve: bigint };`],
    ['a literal type', `let kind: Extract<Kind, 'curve'>;`],
    ['the beginning of a name', `const is = kind.startsWith('uniswap');`],
    ['the beginning of a name with its dash', `const is = kind.startsWith('uniswap-');`],
    ['the end of a name', `const is = kind.endsWith('-v3');`],
    ['a word of a name', `const is = kind.split('-').at(-1) === 'v3';`],
    ['a name in parts', `const is = kind === 'uniswap' + suffix;`],
    ['a template in parts', 'const is = kind === `uniswap-$' + '{version}`;'],
    ['a pattern', `const is = /^uniswap/.test(kind);`],
    ['a pattern for its end', `const is = /-v3$/.test(kind);`],
    ['a pattern for a word', `const is = /v3$/.test(kind);`],
    ['an attribute', `const row = <Row kind="curve" />;`],
  ])('may not know one by %s', (_, text) => {
    expect(judge(`\n${text}`)).toContainEqual(expect.stringMatching(/^apps\/job\/src\/planted\.tsx:[23] names '/));
  });

  it.each([
    `import { curveProof } from './curve/curve-proof.ts';`,
    `import type { Curve } from '../shapes/curve/curve-exchange.ts';`,
    `export * from '../../chain/src/shapes/uniswap-v3/uniswap-v3-shape.ts';`,
    `const { curveShape } = await import('./curve/curve-shape.ts');`,
    `type Curve = import('./curve/curve-shape.ts').Curve;`,
  ])('may not import from there: %s', (text) => {
    expect(judge(text)).toEqual([expect.stringContaining('imports from the folder of the shape')]);
    expect(judge(text, true)).toEqual([]);
  });

  it.each([
    `// A pool of uniswap-v3.\nconst text = 'pools like those of uniswap-v3 have ticks';`,
    `const id = "such as 'hyperswap-v3'"; const v3 = deepestOf(pools); const curve = readCurve(v3);`,
    `const text = <p>uniswap-v3</p>;`,
    'const is = /^v3\\.(1[4-9])/.test(helm);',
    `import { Curve } from './pool-curve.ts';`,
  ])('may say or mean something else: %s', (text) => {
    expect(judge(text)).toEqual([]);
  });
});

it('no code of this workspace knows a shape', () => {
  expect(shapesOf(ROOT)).toContain('algebra-integral');
  expect(judgeWorkspace(ROOT)).toEqual([]);
});
