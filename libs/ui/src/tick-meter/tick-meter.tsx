interface TickMeterProps {
  /** Names what is measured. */
  readonly label: string;
  readonly value: number;
  readonly maximum: number;
  /** What screen readers say instead of a percentage, such as '120 of 625 orders'. */
  readonly text: string;
}

/** Progress drawn as evenly spaced ticks, as the orders are placed. A native element, so its width needs no inline style. */
export function TickMeter({ label, value, maximum, text }: TickMeterProps) {
  return (
    <progress
      className="tick-meter"
      aria-label={label}
      aria-valuetext={text}
      max={Math.max(1, maximum)}
      value={Math.min(Math.max(0, value), Math.max(1, maximum))}
    >
      {text}
    </progress>
  );
}
