import { BUDGET_PRESETS, formatHype } from '@maker/rules';
import { RadioCard, RadioCards } from '@maker/ui';
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
  readonly onChange: (change: Partial<BudgetForm>) => void;
}

/** The four presets, the custom card and its input. Source: specification § 2 'Amount'. */
export function BudgetCards({ form, budget, minimumWei, onChange }: BudgetCardsProps) {
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
  return (
    <div className={styles.cards}>
      <RadioCards
        label="Budget"
        value={choice.kind === 'preset' ? choice.amount : choice.kind === 'custom' ? CUSTOM : null}
        onChange={select}
      >
        {BUDGET_PRESETS.map(({ amount, name, estimatedMakers }) => (
          <RadioCard
            key={amount}
            value={amount}
            name={name}
            title={`${amount} HYPE`}
            detail={`Estimated makers: ${estimatedMakers}`}
          />
        ))}
        <RadioCard value={CUSTOM} title="Custom Amount" detail={`Minimum ${minimum} HYPE`} />
      </RadioCards>
      {choice.kind === 'custom' && (
        <CustomAmount typed={customTyped} budget={budget} minimumWei={minimumWei} onChange={type} />
      )}
    </div>
  );
}
