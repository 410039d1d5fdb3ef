import { expect, it } from 'vitest';
import { creationCodeFile } from '../compiled-contract.fixture.ts';

it('FUNCTION_SURVEY_CREATION_CODE equals contracts/FunctionSurvey.sol compiled (update with --update)', {
  timeout: 120_000,
}, async () => {
  const file = './function-survey.creation-code.ts';
  await expect(creationCodeFile('FunctionSurvey', 'FUNCTION_SURVEY_CREATION_CODE')).toMatchFileSnapshot(file);
});
