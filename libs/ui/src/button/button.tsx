import { type ButtonHTMLAttributes, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import { Spinner } from '../spinner/spinner.tsx';

/** Props of `Button`, in addition to all attributes of a native button. */
export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'style'> {
  /** `primary` for the main action of a screen, `secondary` beside it, `quiet` for rarely used actions. */
  readonly variant?: 'primary' | 'secondary' | 'quiet';
  /** `large` has its own row, with the full width on a phone. */
  readonly size?: 'regular' | 'large';
  /** Shows a spinner and disables the button. Afterwards the button gets back the focus that it lost by that. */
  readonly busy?: boolean;
  readonly children: ReactNode;
}

/** A native button: React Aria's would add 10 KiB to the landing and no function that is needed here. */
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

/** Returns the focus to a button that lost it by being disabled, unless the visitor has focused another element. */
function useFocusKept(button: RefObject<HTMLButtonElement | null>, busy: boolean): void {
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    // The browser removes the focus only at its next paint.
    if (busy) hadFocus.current = document.activeElement === button.current;
    else if (hadFocus.current && document.activeElement === document.body) button.current?.focus();
  }, [button, busy]);
}
