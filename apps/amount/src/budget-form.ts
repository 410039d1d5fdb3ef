import { BUDGET_PRESETS, formatHype } from '@maker/rules';
import { keepDraft, readDraft } from '@maker/web-kit';
import type { BudgetChoice } from './budget-choice.ts';
import { DECIMAL_SEPARATOR } from './decimal-separator.ts';

/** The visitor's input on this step. */
export interface BudgetForm {
  readonly choice: BudgetChoice;
  /** The custom amount, kept while a preset is chosen. */
  readonly customTyped: string;
  readonly returnAddress: string;
  /** The payer confirms that the return address is a contract. */
  readonly returnAddressIsContract: boolean;
  readonly termsAccepted: boolean;
}

const EMPTY_FORM: BudgetForm = {
  choice: { kind: 'none' },
  customTyped: '',
  returnAddress: '',
  returnAddressIsContract: false,
  termsAccepted: false,
};

/** The initial form: empty, or with the draft of this tab, which may be the choices of an earlier job. */
export function startForm(): BudgetForm {
  const draft = readDraft('amount');
  if (typeof draft !== 'object' || draft === null) return EMPTY_FORM;
  const { choice, customTyped, returnAddress, termsAccepted, budgetWei } = draft as Readonly<Record<string, unknown>>;
  return {
    ...EMPTY_FORM,
    ...(isChoice(choice) && { choice }),
    ...(typeof customTyped === 'string' && { customTyped }),
    ...(typeof budgetWei === 'string' && /^\d+$/.test(budgetWei) && choiceOf(BigInt(budgetWei))),
    ...(typeof returnAddress === 'string' && { returnAddress }),
    termsAccepted: termsAccepted === true,
  };
}

/** Keeps the form for `startForm`. */
export function keepForm({ returnAddressIsContract: _, ...form }: BudgetForm): void {
  keepDraft('amount', form);
}

/** The choice of an earlier job. @param budgetWei wei */
function choiceOf(budgetWei: bigint): Pick<BudgetForm, 'choice' | 'customTyped'> {
  const preset = BUDGET_PRESETS.find(({ amountWei }) => amountWei === budgetWei);
  if (preset) return { choice: { kind: 'preset', amount: preset.amount }, customTyped: '' };
  const typed = formatHype(budgetWei).replace('.', DECIMAL_SEPARATOR);
  return { choice: { kind: 'custom', typed }, customTyped: typed };
}

function isChoice(value: unknown): value is BudgetChoice {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, amount, typed } = value as Readonly<Record<string, unknown>>;
  return (
    kind === 'none' ||
    (kind === 'preset' && typeof amount === 'string') ||
    (kind === 'custom' && typeof typed === 'string')
  );
}
