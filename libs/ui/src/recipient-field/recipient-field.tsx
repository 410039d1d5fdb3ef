import { useState } from 'react';
import { AddressField } from '../address-field/address-field.tsx';
import { Checkbox } from '../checkbox/checkbox.tsx';

/** Length of an address with its 0x: the visitor has typed or pasted it all. */
const WHOLE_LENGTH = 42;

interface RecipientFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Error of the page's own check, shown once the address is complete or the field loses the focus. */
  readonly problem: string | undefined;
  /** Error of the service, shown immediately. */
  readonly refusal?: string | undefined;
  /** Consent checkbox for a contract's address: whether the payer confirms it. */
  readonly consent?: { readonly isGiven: boolean; readonly onChange: (isGiven: boolean) => void } | undefined;
}

/** The field for the address that receives money. */
export function RecipientField({ label, value, onChange, problem, refusal, consent }: RecipientFieldProps) {
  const [left, setLeft] = useState(value !== '');
  return (
    <div className="recipient-field">
      <AddressField
        label={label}
        value={value}
        onChange={onChange}
        onBlur={() => setLeft(true)}
        error={refusal ?? (left || value.trim().length >= WHOLE_LENGTH ? problem : undefined)}
      />
      {consent && (
        <Checkbox isSelected={consent.isGiven} onChange={consent.onChange}>
          It is my contract, and I can move tokens and HYPE out of it
        </Checkbox>
      )}
    </div>
  );
}
