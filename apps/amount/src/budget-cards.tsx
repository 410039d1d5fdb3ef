import { BUDGET_PRESETS, formatHype, MAXIMUM_PAYMENT_WEI } from '@maker/rules';
import { LiveRegion, RadioCard, RadioCards, TextField } from '@maker/ui';
import * as styles from './budget-cards.module.css';
import { acceptTyped, type Budget } from './budget-choice.ts';
import type { BudgetForm } from './budget-form.ts';

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
    const typed = acceptTyped(customTyped, value);
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
        <div className={styles.custom}>
          <TextField
            label="Custom amount in HYPE"
            type="number"
            inputMode="decimal"
            step={0.1}
            min={minimum}
            max={formatHype(MAXIMUM_PAYMENT_WEI)}
            placeholder={`Enter amount (min ${minimum})...`}
            autoComplete="off"
            unit="HYPE"
            value={customTyped}
            onChange={type}
            error={budget.problem}
          />
          <LiveRegion>
            {budget.estimateLine && <span className={styles.estimate}>{budget.estimateLine}</span>}
          </LiveRegion>
        </div>
      )}
    </div>
  );
}
