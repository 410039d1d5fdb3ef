import { TextField, type TextFieldProps } from '../text-field/text-field.tsx';
import { pastedText } from './pasted-text.ts';

/** The field of every address and code that visitors paste: it shows and returns what is pasted without invisible characters. */
export function AddressField({ onChange, ...props }: TextFieldProps) {
  return (
    <TextField
      placeholder="0x..."
      code
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
      onChange={(typed) => onChange(pastedText(typed))}
    />
  );
}
