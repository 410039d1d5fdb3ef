interface SubjectLineProps {
  readonly symbol?: string | undefined;
  readonly address: string;
  readonly shortAddress: string;
  /** The parts of the budget in a few words each. */
  readonly texts: readonly string[];
  /** The same parts for the bar, as numbers that sum to about 1; none: no bar. */
  readonly shares: readonly number[];
}

/** The bought token and the use of the budget in one line, with a bar of its parts in the order of the words. */
export function SubjectLine({ symbol, address, shortAddress, texts, shares }: SubjectLineProps) {
  return (
    <div className="subject-line">
      <p>
        <span translate="no">
          {symbol && <strong>{symbol} </strong>}
          <span className="code" title={address}>
            {shortAddress}
          </span>
        </span>
        {texts.map((text) => (
          <span key={text}>
            {' · '}
            <span className="subject-line__part">{text}</span>
          </span>
        ))}
      </p>
      {shares.length > 0 && (
        <svg className="subject-line__bar" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
          {shares.map((width, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change their order
            <rect key={index} x={shares.slice(0, index).reduce((sum, one) => sum + one, 0)} width={width} height={1} />
          ))}
        </svg>
      )}
    </div>
  );
}
