import { type ButtonHTMLAttributes, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import { Spinner } from '../spinner/spinner.tsx';

/** Props of `Button`; all attributes of a native button beside. */
export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'style'> {
  /** `primary` for the one action of a screen, `secondary` beside it, `quiet` for what rarely matters. */
  readonly variant?: 'primary' | 'secondary' | 'quiet';
  /** `large` stands alone on a row, as wide as the row on a phone. */
  readonly size?: 'regular' | 'large';
  /** Shows a spinner and is disabled. The focus, which the browser takes from a disabled button, comes back afterwards. */
  readonly busy?: boolean;
  readonly children: ReactNode;
}

/** A native button: what the browser gives needs no library (React Aria's would add 10 KiB to the landing). */
export function Button({
  variant = 'primary',
  size = 'regular',
  busy: busyOrNever,
  disabled = false,
  type = 'button',
  children,
  ...attributes
}: ButtonProps) {
  const busy = busyOrNever ?? false;
  const button = useRef<HTMLButtonElement>(null);
  useFocusKept(button, busy);
  return (
    <button
      {...attributes}
      type={type}
      className={`button button--${variant} button--${size}`}
      ref={button}
      disabled={disabled || busy}
      data-busy={busy ? '' : undefined}
    >
      {busyOrNever === undefined ? (
        children
      ) : (
        <>
          {busy && <Spinner />}
          {/* A translator replaces text nodes: React puts the spinner before an element that stays. */}
          <span className="button__content">{children}</span>
        </>
      )}
    </button>
  );
}

/** Gives a button the focus back that it lost by being disabled, unless the visitor has gone elsewhere. */
function useFocusKept(button: RefObject<HTMLButtonElement | null>, busy: boolean): void {
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    // The browser takes the focus away only when it paints next.
    if (busy) hadFocus.current = document.activeElement === button.current;
    else if (hadFocus.current && document.activeElement === document.body) button.current?.focus();
  }, [button, busy]);
}
