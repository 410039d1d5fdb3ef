import { type InputHTMLAttributes, type ReactNode, useId } from 'react';

/** Props of `TextField`, in addition to all attributes of a native input. */
export interface TextFieldProps
  extends Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'style' | 'onChange' | 'value' | 'id'> {
  readonly label: ReactNode;
  /** Help below the field; screen readers read it with the field. */
  readonly description?: ReactNode;
  /** Error of the value, in red; screen readers read it with the field. */
  readonly error?: string | undefined;
  /** Shown at the end of the field, such as a unit. */
  readonly unit?: string;
  /** Monospaced, for addresses and numbers, whose characters visitors compare one by one. */
  readonly code?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A labelled input with its help and its error. */
export function TextField({
  label,
  description,
  error,
  unit,
  code = false,
  value,
  onChange,
  ...attributes
}: TextFieldProps) {
  const id = useId();
  const descriptionId = description === undefined ? undefined : `${id}-description`;
  const errorId = error === undefined ? undefined : `${id}-error`;
  const describedBy = [descriptionId, errorId, attributes['aria-describedby']].filter(Boolean).join(' ');
  return (
    <div className="text-field">
      <label htmlFor={id} className="text-field__label">
        {label}
      </label>
      <span className="text-field__box">
        <input
          {...attributes}
          id={id}
          aria-describedby={describedBy || undefined}
          className={code ? 'text-field__input code' : 'text-field__input'}
          aria-invalid={error !== undefined || attributes['aria-invalid'] || undefined}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
        {unit !== undefined && (
          <span className="text-field__unit" aria-hidden="true">
            {unit}
          </span>
        )}
      </span>
      {error !== undefined && (
        <p id={errorId} className="text-field__error">
          {error}
        </p>
      )}
      {description !== undefined && (
        <div id={descriptionId} className="text-field__description">
          {description}
        </div>
      )}
    </div>
  );
}
