import { useState } from 'react';
import { Checkbox } from '../checkbox/checkbox.tsx';
import { TextField } from '../text-field/text-field.tsx';

interface RecipientFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** What the page says against it, once the field is left. */
  readonly problem: string | undefined;
  /** What the service said against it, at once. */
  readonly refusal?: string | undefined;
  /** Asked where the address is a contract: whether the payer knows. */
  readonly consent?: { readonly isGiven: boolean; readonly onChange: (isGiven: boolean) => void } | undefined;
}

/** The address that money goes to. */
export function RecipientField({ label, value, onChange, problem, refusal, consent }: RecipientFieldProps) {
  const [left, setLeft] = useState(value !== '');
  return (
    <div className="recipient-field">
      <TextField
        label={label}
        placeholder="0x..."
        code
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={value}
        onChange={onChange}
        onBlur={() => setLeft(true)}
        error={refusal ?? (left ? problem : undefined)}
      />
      {consent && (
        <Checkbox isSelected={consent.isGiven} onChange={consent.onChange}>
          It is my contract, and I can move tokens and HYPE out of it
        </Checkbox>
      )}
    </div>
  );
}
