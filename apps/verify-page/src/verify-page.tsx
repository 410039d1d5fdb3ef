import { type CheckedFile, checkReceipt, EndpointSilentError, knownPace, ServiceSilentError } from '@maker/receipt';
import { Button, LiveRegion, Notice, Surface, TextField } from '@maker/ui';
import { type FormEvent, useId, useState } from 'react';
import { VerdictReport } from './verdict-report.tsx';
import * as styles from './verify-page.module.css';

/** HyperEVM's public endpoint, as an example: the visitor chooses the endpoint. */
const EXAMPLE = 'https://rpc.hyperliquid.xyz/evm';

type Progress =
  | { readonly state: 'idle' }
  | { readonly state: 'busy'; readonly read: number; readonly all: number }
  | { readonly state: 'checked'; readonly checked: CheckedFile }
  | { readonly state: 'not_checked'; readonly problem: string };

/** Checks a receipt file against an endpoint that the visitor names. Source: design § 2.6. */
export function VerifyPage() {
  const fileId = useId();
  const [file, setFile] = useState<File>();
  const [endpoint, setEndpoint] = useState('');
  const [endpointError, setEndpointError] = useState<string>();
  const [service, setService] = useState('');
  const [serviceError, setServiceError] = useState<string>();
  const [progress, setProgress] = useState<Progress>({ state: 'idle' });
  const isBusy = progress.state === 'busy';

  const verify = async (event: FormEvent) => {
    event.preventDefault();
    const url = readEndpoint(endpoint);
    setEndpointError(url ? undefined : 'Enter the https address of an RPC endpoint');
    const site = readEndpoint(service);
    const isWrong = service.trim() !== '' && !site;
    setServiceError(isWrong ? 'Enter the https address of the site, or leave this empty' : undefined);
    if (!url || !file || isBusy || isWrong) return;
    setProgress({ state: 'busy', read: 0, all: 0 });
    try {
      const content = parsed(await file.text());
      const onRead = (read: number, all: number) => setProgress({ state: 'busy', read, all });
      const chain = { url, requestsPerMinute: knownPace(url) };
      const checked = await checkReceipt(content, chain, onRead, { service: site });
      setProgress({ state: 'checked', checked });
    } catch (error) {
      const isSilent = error instanceof EndpointSilentError || error instanceof ServiceSilentError;
      const problem = isSilent ? error.message : `the file cannot be read: ${error}`;
      setProgress({ state: 'not_checked', problem });
    }
  };

  return (
    <main className={styles.page}>
      <header className={styles.header}>
        <h1 className={styles.title}>Verify a Receipt</h1>
        <p className={styles.lead}>
          Your browser checks the receipt of a job against the chain. It queries only the endpoint and the site that you
          name, and sends the file nowhere.
        </p>
      </header>
      <Surface>
        <form className={styles.form} onSubmit={verify} noValidate>
          <div className={styles.file}>
            <label htmlFor={fileId}>Receipt file</label>
            <input
              id={fileId}
              type="file"
              accept="application/json,.json"
              onChange={({ target }) => {
                setFile(target.files?.[0]);
                setProgress({ state: 'idle' });
              }}
            />
          </div>
          <TextField
            label="RPC endpoint"
            description={`Any endpoint of the receipt's chain that answers browsers, such as ${EXAMPLE}`}
            error={endpointError}
            type="url"
            inputMode="url"
            placeholder="https://..."
            autoComplete="off"
            spellCheck={false}
            code
            value={endpoint}
            onChange={setEndpoint}
          />
          <TextField
            label="Site of the service (optional)"
            description="Where you made the job, such as https://bot.example.com. Without it, the page cannot confirm the service"
            error={serviceError}
            type="url"
            inputMode="url"
            placeholder="https://..."
            autoComplete="off"
            spellCheck={false}
            code
            value={service}
            onChange={setService}
          />
          <div>
            <Button type="submit" size="large" busy={isBusy} disabled={!file || endpoint === ''}>
              {isBusy ? 'Verifying…' : 'Verify'}
            </Button>
          </div>
        </form>
      </Surface>
      <LiveRegion>
        {progress.state === 'busy' && progress.all > 0 && (
          <Notice tone="plain">{`${progress.read} of ${progress.all} transactions read`}</Notice>
        )}
        {progress.state === 'not_checked' && (
          <Notice tone="yellow">{`Nothing was checked: ${progress.problem}`}</Notice>
        )}
        {progress.state === 'checked' && <VerdictReport {...progress.checked} />}
      </LiveRegion>
    </main>
  );
}

/** Parses JSON. @returns undefined for invalid JSON, which the verifier rejects like any other file that is no receipt */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses a typed endpoint or site. @returns undefined unless it is an https address: the page may reach no other */
export function readEndpoint(text: string): URL | undefined {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  return url?.protocol === 'https:' ? url : undefined;
}
