import { describe, expect, it } from 'vitest';
import { compiledContract } from '../compiled-contract.fixture.ts';

describe('FUNCTION_SURVEY_CREATION_CODE', () => {
  it('is what contracts/FunctionSurvey.sol compiles to (after a change of it: run this file with --update)', {
    timeout: 120_000,
  }, async () => {
    await expect(
      `import type { Hex } from 'viem';

/** Creation code of contracts/FunctionSurvey.sol; its specification compiles it again and compares. */
export const FUNCTION_SURVEY_CREATION_CODE: Hex =
  '0x${compiledContract('FunctionSurvey')}';
`,
    ).toMatchFileSnapshot('./function-survey.creation-code.ts');
  });
});
