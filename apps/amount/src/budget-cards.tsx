import { BUDGET_PRESETS, formatHype } from '@maker/rules';
import { RadioCard, RadioCards } from '@maker/ui';
import type { ReactNode } from 'react';
import * as styles from './budget-cards.module.css';
import { acceptTyped, type Budget } from './budget-choice.ts';
import type { BudgetForm } from './budget-form.ts';
import { CustomAmount } from './custom-amount.tsx';
import { DECIMAL_SEPARATOR } from './decimal-separator.ts';

const CUSTOM = 'custom';

interface BudgetCardsProps {
  readonly form: BudgetForm;
  readonly budget: Budget;
  /** Wei. */
  readonly minimumWei: bigint;
  /** Another custom amount is offered, by its own button. */
  readonly isOffered: boolean;
  readonly onChange: (change: Partial<BudgetForm>) => void;
}

/**
 * The four presets, the custom card and its input. What stands beside a custom amount or an offered one is folded: a step has few
 * controls. Source: specification § 2 'Amount'.
 */
export function BudgetCards({ form, budget, minimumWei, isOffered, onChange }: BudgetCardsProps) {
  const { choice, customTyped } = form;
  const minimum = formatHype(minimumWei);
  const select = (value: string) =>
    onChange({
      choice: value === CUSTOM ? { kind: 'custom', typed: customTyped } : { kind: 'preset', amount: value },
    });
  const type = (value: string) => {
    const typed = acceptTyped(customTyped, value, DECIMAL_SEPARATOR);
    onChange({ customTyped: typed, choice: { kind: 'custom', typed } });
  };
  const isCustom = choice.kind === 'custom';
  const presets = BUDGET_PRESETS.map(({ amount, name, estimatedMakers }) => (
    <RadioCard
      key={amount}
      value={amount}
      name={name}
      title={`${amount} HYPE`}
      detail={`Estimated makers: ${estimatedMakers}`}
    />
  ));
  const custom = <RadioCard key={CUSTOM} value={CUSTOM} title="Custom Amount" detail={`Minimum ${minimum} HYPE`} />;
  return (
    <div className={styles.cards}>
      <RadioCards
        label="Budget"
        value={choice.kind === 'preset' ? choice.amount : isCustom ? CUSTOM : null}
        onChange={select}
      >
        {isCustom ? <OtherBudgets>{presets}</OtherBudgets> : presets}
        {!isCustom && isOffered ? <OtherBudgets>{custom}</OtherBudgets> : custom}
      </RadioCards>
      {isCustom && <CustomAmount typed={customTyped} budget={budget} minimumWei={minimumWei} onChange={type} />}
    </div>
  );
}

function OtherBudgets({ children }: { readonly children: ReactNode }) {
  return (
    <details className={styles.others}>
      <summary>Other budgets</summary>
      <div className={styles.folded}>{children}</div>
    </details>
  );
}
