import { Icon, icons, KeyValue, KeyValueList } from '@maker/ui';
import type { ValidatedToken } from '@maker/web-kit';
import { exchangeLabel, liquidityLines } from './liquidity-lines.ts';
import * as styles from './validated-panel.module.css';
import { VALIDATION_MESSAGES } from './validation-outcome.ts';

/** The green check with the results. Source: specification § 2 'Token'. */
export function ValidatedPanel({ token: { liquidityStatus, token } }: { readonly token: ValidatedToken }) {
  return (
    <div className={styles.panel}>
      <p className={styles.title}>
        <span className={styles.check}>
          <Icon path={icons.CHECK} />
        </span>
        {VALIDATION_MESSAGES.success}
      </p>
      <KeyValueList>
        {token && <KeyValue name="Token">{`${token.name} (${token.symbol})`}</KeyValue>}
        <KeyValue name="Exchange">{exchangeLabel(liquidityStatus.selectedDex)}</KeyValue>
        {liquidityLines(liquidityStatus).map(({ name, value }) => (
          <KeyValue key={name} name={name}>
            {value}
          </KeyValue>
        ))}
      </KeyValueList>
    </div>
  );
}
