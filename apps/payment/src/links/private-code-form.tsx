import { AddressField, Button } from '@maker/ui';
import { isPrivateCode } from '@maker/web-kit';
import { type FormEvent, useState } from 'react';
import * as styles from './job-links.module.css';

/** The field for the payer's private code, for another device than the one that created the job. */
export function PrivateCodeForm({ onCode }: { readonly onCode: (privateCode: string) => void }) {
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string>();
  const use = (event: FormEvent) => {
    event.preventDefault();
    if (!isPrivateCode(typed)) return setError('A private code is stop_ followed by 32 letters, digits, - or _');
    setTyped('');
    onCode(typed);
  };
  return (
    // A browser keeps the text of a field with autocomplete in its session files.
    <form className={styles.form} onSubmit={use} noValidate autoComplete="off">
      <AddressField
        label="Private code"
        placeholder="stop_..."
        value={typed}
        error={error}
        onChange={(code) => {
          setTyped(code);
          setError(undefined);
        }}
      />
      <Button type="submit" variant="secondary" disabled={typed === ''}>
        Use Private Code
      </Button>
    </form>
  );
}
