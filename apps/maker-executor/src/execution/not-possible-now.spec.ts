import { expect, it } from 'vitest';
import { NotPossibleNow } from './not-possible-now.ts';

it('a command that the state of the job does not allow is told so by name and code', () => {
  expect(new NotPossibleNow('the job trades')).toMatchObject({
    name: 'NotPossibleNow',
    code: 'NOT_POSSIBLE_NOW',
    message: 'the job trades',
  });
});
