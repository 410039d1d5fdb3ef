import { expect, it } from 'vitest';
import { NotPossibleNow } from './not-possible-now.ts';

it('names the command and code that a state forbids', () => {
  expect(new NotPossibleNow('the job trades')).toMatchObject({
    name: 'NotPossibleNow',
    code: 'NOT_POSSIBLE_NOW',
    message: 'the job trades',
  });
});
