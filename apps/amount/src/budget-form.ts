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

let kept: { readonly tokenAddress: string; readonly form: BudgetForm } | undefined;

/** Keeps the form while the page lives: whoever follows the link to the Terms comes back to what was entered. */
export function keepForm(tokenAddress: string, form: BudgetForm): void {
  kept = { tokenAddress, form };
}

/** The form kept for this token, else an empty one. */
export function keptForm(tokenAddress: string): BudgetForm {
  return kept?.tokenAddress === tokenAddress ? kept.form : EMPTY_FORM;
}
