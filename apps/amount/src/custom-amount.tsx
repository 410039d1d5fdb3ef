import { formatHype, MAXIMUM_PAYMENT_WEI, stepTypedAmount } from '@maker/rules';
import { LiveRegion, TextField } from '@maker/ui';
import type { KeyboardEvent } from 'react';
import type { Budget } from './budget-choice.ts';
import * as styles from './custom-amount.module.css';
import { DECIMAL_SEPARATOR } from './decimal-separator.ts';

/** Keys that change the amount by one step. */
const STEP_KEYS: Readonly<Partial<Record<string, 'up' | 'down'>>> = { ArrowUp: 'up', ArrowDown: 'down' };

interface CustomAmountProps {
  readonly typed: string;
  readonly budget: Budget;
  /** Wei. */
  readonly minimumWei: bigint;
  readonly onChange: (typed: string) => void;
}

/**
 * The custom card's input. A native number input drops a decimal comma in an English browser and reacts to the mouse wheel:
 * both change the amount unnoticed. Source: specification § 2 'Amount'.
 */
export function CustomAmount({ typed, budget, minimumWei, onChange }: CustomAmountProps) {
  const minimum = formatHype(minimumWei);
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = STEP_KEYS[event.key];
    if (!direction || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    onChange(stepTypedAmount(typed, direction, minimumWei, DECIMAL_SEPARATOR));
  };
  return (
    <div className={styles.custom}>
      <TextField
        label="Custom amount in HYPE"
        type="text"
        inputMode="decimal"
        role="spinbutton"
        step={0.1}
        aria-valuemin={Number(minimum)}
        aria-valuemax={Number(formatHype(MAXIMUM_PAYMENT_WEI))}
        aria-valuenow={budget.amountWei === undefined ? undefined : Number(formatHype(budget.amountWei))}
        placeholder={`Enter amount (min ${minimum})...`}
        autoComplete="off"
        unit="HYPE"
        value={typed}
        onChange={onChange}
        onKeyDown={onKeyDown}
        error={budget.problem}
      />
      <LiveRegion>{budget.estimateLine && <span className={styles.estimate}>{budget.estimateLine}</span>}</LiveRegion>
    </div>
  );
}
