import type { ButtonHTMLAttributes, MouseEvent, ReactNode } from 'react';
import { Spinner } from '../spinner/spinner.tsx';

/** Props of `Button`; all attributes of a native button beside. */
export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'style'> {
  /** `primary` for the one action of a screen, `secondary` beside it, `quiet` for what rarely matters. */
  readonly variant?: 'primary' | 'secondary' | 'quiet';
  /** `large` stands alone on a row, as wide as the row on a phone. */
  readonly size?: 'regular' | 'large';
  /**
   * Shows a spinner and ignores presses. The button stays focusable, so that a keyboard user does not lose the place
   * while waiting.
   */
  readonly busy?: boolean;
  readonly children: ReactNode;
}

/** A native button: what the browser gives needs no library (React Aria's would add 10 KiB to the landing). */
export function Button({
  variant = 'primary',
  size = 'regular',
  busy = false,
  type = 'button',
  onClick,
  children,
  ...attributes
}: ButtonProps) {
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (busy) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      {...attributes}
      type={type}
      className={`button button--${variant} button--${size}`}
      aria-disabled={busy || undefined}
      onClick={press}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}
