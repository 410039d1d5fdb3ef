import { TextField } from '@maker/ui';
import { useState } from 'react';
import { returnAddressProblem } from './return-address.ts';
import * as styles from './return-address-field.module.css';

interface ReturnAddressFieldProps {
  readonly value: string;
  readonly tokenAddress: string;
  readonly onChange: (value: string) => void;
}

/** The optional return address, folded away until someone needs it. Source: design § 4 'Return address'. */
export function ReturnAddressField({ value, tokenAddress, onChange }: ReturnAddressFieldProps) {
  const [left, setLeft] = useState(value !== '');
  const problem = returnAddressProblem(value, tokenAddress);
  return (
    <details className={styles.field} open={value !== '' || undefined}>
      <summary>Send tokens and change to another wallet (optional)</summary>
      <TextField
        label="Return address (optional)"
        placeholder="0x..."
        code
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={value}
        onChange={onChange}
        onBlur={() => setLeft(true)}
        error={left ? problem : undefined}
        description={
          <>
            <p>Without it, bought tokens and unspent HYPE go back to the wallet that pays.</p>
            <p>
              Use a wallet of your own, not an exchange's address: an exchange does not credit tokens that it does not
              list, and what reaches it there is usually lost. If you pay from an exchange, enter your own wallet here.
            </p>
          </>
        }
      />
    </details>
  );
}
