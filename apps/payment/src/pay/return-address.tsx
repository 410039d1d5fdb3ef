import { Button, LiveRegion, RecipientField } from '@maker/ui';
import {
  type ApiClient,
  changeReturnAddress,
  type RefusedAddress,
  refusedAddress,
  returnAddressProblem,
} from '@maker/web-kit';
import { type FormEvent, useState } from 'react';
import * as styles from './return-address.module.css';

interface ReturnAddressProps {
  readonly api: ApiClient;
  readonly jobId: string;
  readonly tokenAddress: string;
  readonly treasury: string;
  /** As the service knows it; undefined where none is named. */
  readonly named: string | undefined;
  /** Of the private link; without it nothing can be changed here. */
  readonly stopSecret: string | undefined;
}

/** Who receives tokens and change, and until the payment arrives the way to name somebody else. Source: design § 4 'Return address'. */
export function ReturnAddress({ api, jobId, tokenAddress, treasury, named, stopSecret }: ReturnAddressProps) {
  const [changed, setChanged] = useState<string>();
  const receiver = changed ?? named;
  return (
    <div className={styles.receiver}>
      <LiveRegion>
        {receiver === undefined ? (
          <p>
            Tokens and change go to the address you pay from. Paying from an exchange? Enter your own address first.
          </p>
        ) : (
          <p>
            <span>Tokens and change go to </span>
            <span className={`${styles.address} code`} translate="no">
              {receiver}
            </span>
          </p>
        )}
      </LiveRegion>
      {stopSecret !== undefined && (
        <details>
          <summary>{receiver === undefined ? 'Enter address' : 'Change this address'}</summary>
          <ChangeForm
            key={receiver}
            deadEnds={{ tokenAddress, treasury }}
            onChange={async (body) => {
              const result = await changeReturnAddress(api, jobId, { stopSecret, ...body });
              if (result.ok) setChanged(result.data.returnAddress);
              return result.ok ? undefined : result.error;
            }}
          />
        </details>
      )}
    </div>
  );
}

type Failure = Parameters<typeof refusedAddress>[1];
type Body = Omit<Parameters<typeof changeReturnAddress>[2], 'stopSecret'>;

interface ChangeFormProps {
  readonly deadEnds: Parameters<typeof returnAddressProblem>[1];
  /** @returns what went wrong */
  readonly onChange: (body: Body) => Promise<Failure | undefined>;
}

function ChangeForm({ deadEnds, onChange }: ChangeFormProps) {
  const [typed, setTyped] = useState('');
  const [isContract, setContract] = useState(false);
  const [saving, setSaving] = useState(false);
  const [lastRefused, setRefused] = useState<RefusedAddress>();
  const problem = returnAddressProblem(typed, deadEnds);
  const refused = lastRefused?.typed === typed ? lastRefused : undefined;
  const isBlocked = refused !== undefined && !(refused.isContract && isContract);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim() === '' || problem !== undefined || saving) return;
    setSaving(true);
    const returnAddress = typed.trim() as `0x${string}`;
    const failure = await onChange({ returnAddress, ...(isContract && { returnAddressIsContract: true }) });
    setSaving(false);
    if (!failure) return;
    const message = failure.message || 'The address could not be saved';
    setRefused(refusedAddress(typed, failure) ?? { typed, message, isContract: false });
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
      <Button
        type="submit"
        variant="secondary"
        busy={saving}
        disabled={typed.trim() === '' || problem !== undefined || isBlocked}
      >
        Save Address
      </Button>
    </form>
  );
}
