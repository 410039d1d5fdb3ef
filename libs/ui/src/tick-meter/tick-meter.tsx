interface TickMeterProps {
  /** Name of the measured value. */
  readonly label: string;
  readonly value: number;
  readonly maximum: number;
  /** Text for screen readers instead of a percentage, such as '120 of 625 orders'. */
  readonly text: string;
}

/** Progress as evenly spaced ticks, like the orders. A native element, so its width needs no inline style. */
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
