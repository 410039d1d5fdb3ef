import type { BudgetChoice } from './budget-choice.ts';

/** What the visitor entered on this step. */
export interface BudgetForm {
  readonly choice: BudgetChoice;
  /** The custom amount survives a look at the presets. */
  readonly customTyped: string;
  readonly returnAddress: string;
  readonly termsAccepted: boolean;
}

/** The form as it is first shown. */
export const EMPTY_FORM: BudgetForm = {
  choice: { kind: 'none' },
  customTyped: '',
  returnAddress: '',
  termsAccepted: false,
};
