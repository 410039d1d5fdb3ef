import { expect, it } from 'vitest';
import { creationCodeFile } from '../compiled-contract.fixture.ts';

it('FUNCTION_SURVEY_CREATION_CODE is what contracts/FunctionSurvey.sol compiles to (after a change of it: run this file with --update)', {
  timeout: 120_000,
}, async () => {
  const file = './function-survey.creation-code.ts';
  await expect(creationCodeFile('FunctionSurvey', 'FUNCTION_SURVEY_CREATION_CODE')).toMatchFileSnapshot(file);
});
