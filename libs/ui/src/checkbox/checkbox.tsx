import type { ReactNode } from 'react';
import { Icon } from '../icon/icon.tsx';
import { CHECK } from '../icon/icon-paths.ts';

interface CheckboxProps {
  readonly isSelected: boolean;
  readonly onChange: (isSelected: boolean) => void;
  /** The label; may contain a link. */
  readonly children: ReactNode;
}

/**
 * A checkbox with its label. The whole label is the click target, except a link in it. A native input: React Aria's cancels
 * every click inside the label, including clicks on the link.
 */
export function Checkbox({ isSelected, onChange, children }: CheckboxProps) {
  return (
    <label className="checkbox">
      <span className="checkbox__box">
        <input type="checkbox" checked={isSelected} onChange={({ target }) => onChange(target.checked)} />
        <Icon path={CHECK} />
      </span>
      <span>{children}</span>
    </label>
  );
}
