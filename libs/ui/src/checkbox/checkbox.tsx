import { type ReactNode, useRef } from 'react';
import { useCheckbox } from 'react-aria/useCheckbox';
import { useToggleState } from 'react-stately/useToggleState';
import { Icon } from '../icon/icon.tsx';

/** Props of `Checkbox`. */
export interface CheckboxProps {
  readonly isSelected: boolean;
  readonly onChange: (isSelected: boolean) => void;
  readonly name?: string;
  /** The label; may hold a link. */
  readonly children: ReactNode;
}

/** A checkbox with its label. The whole label is the target. */
export function Checkbox({ children, ...props }: CheckboxProps) {
  const input = useRef<HTMLInputElement>(null);
  const state = useToggleState(props);
  const { inputProps, labelProps } = useCheckbox({ ...props, children }, state, input);
  return (
    <label {...labelProps} className="checkbox">
      <span className="checkbox__box">
        <input {...inputProps} ref={input} />
        <Icon name="check" />
      </span>
      <span>{children}</span>
    </label>
  );
}
