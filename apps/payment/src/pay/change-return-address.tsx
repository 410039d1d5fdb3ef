import type { ChangeReturnAddressResponse } from '@maker/contracts';
import { Button, RecipientField } from '@maker/ui';
import {
  type ApiClient,
  changeReturnAddress,
  judgeReturnAddress,
  type KnownDeadEnds,
  type RefusedAddress,
  refusedAddress,
} from '@maker/web-kit';
import { type FormEvent, useState } from 'react';
import * as styles from './return-address.module.css';

/** Props of `ChangeReturnAddress`. */
export interface ChangeReturnAddressProps {
  readonly api: ApiClient;
  readonly jobId: string;
  /** The private code. */
  readonly stopSecret: string;
  readonly deadEnds: KnownDeadEnds;
  /** Called when the service has accepted the address, or recorded it for an operator. */
  readonly onChanged: (answer: ChangeReturnAddressResponse) => void;
}

/** The form that changes the return address, until the payment arrives. */
export default function ChangeReturnAddress({ api, jobId, stopSecret, deadEnds, onChanged }: ChangeReturnAddressProps) {
  const [typed, setTyped] = useState('');
  const [isContract, setContract] = useState(false);
  const [saving, setSaving] = useState(false);
  const [lastRefused, setRefused] = useState<RefusedAddress>();
  const { problem, refused, isUsable } = judgeReturnAddress({ typed, isContract }, lastRefused, deadEnds);
  const isComplete = typed.trim() !== '' && isUsable;
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (!isComplete || saving) return;
    setSaving(true);
    const returnAddress = typed.trim() as `0x${string}`;
    const body = { stopSecret, returnAddress, ...(isContract && { returnAddressIsContract: true }) };
    const result = await changeReturnAddress(api, jobId, body);
    setSaving(false);
    if (result.ok) return onChanged(result.data);
    const message = result.error.message || 'The address could not be saved';
    setRefused(refusedAddress(typed, result.error) ?? { typed, message, isContract: false });
  };
  return (
    <form className={styles.form} onSubmit={save} noValidate>
      <RecipientField
        label="Your own address"
        value={typed}
        onChange={(value) => {
          setTyped(value);
          setContract(false);
        }}
        problem={problem}
        refusal={refused?.message}
        consent={refused?.isContract ? { isGiven: isContract, onChange: setContract } : undefined}
      />
      <Button type="submit" variant="secondary" busy={saving} disabled={!isComplete}>
        Save Address
      </Button>
    </form>
  );
}
