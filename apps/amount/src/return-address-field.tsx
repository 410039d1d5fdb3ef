import { RecipientField } from '@maker/ui';
import type { AddressVerdict } from '@maker/web-kit';
import * as styles from './return-address-field.module.css';

interface ReturnAddressFieldProps extends Pick<AddressVerdict, 'problem' | 'refused'> {
  readonly value: string;
  /** The payer confirms that it is a contract. */
  readonly isContract: boolean;
  readonly onChange: (change: { returnAddress: string } | { returnAddressIsContract: boolean }) => void;
}

/** The recipient of tokens and change, always visible, and the field to name another one. Source: design § 4 'Return address'. */
export function ReturnAddressField({ value, problem, refused, isContract, onChange }: ReturnAddressFieldProps) {
  return (
    <div className={styles.field}>
      <p>
        {value.trim() === '' || problem !== undefined || (refused !== undefined && !isContract)
          ? 'Tokens and change go to the address you pay from. Paying from an exchange? Enter your own address first.'
          : 'Tokens and change go to this address.'}
      </p>
      <details open={value !== '' || undefined}>
        <summary>Enter address</summary>
        <RecipientField
          label="Return address (optional)"
          value={value}
          onChange={(returnAddress) => onChange({ returnAddress })}
          problem={problem}
          refusal={refused?.message}
          consent={
            refused?.isContract
              ? { isGiven: isContract, onChange: (isGiven) => onChange({ returnAddressIsContract: isGiven }) }
              : undefined
          }
        />
      </details>
    </div>
  );
}
