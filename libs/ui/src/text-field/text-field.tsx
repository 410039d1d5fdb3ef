import type { InputHTMLAttributes, ReactNode } from 'react';
import { useField } from 'react-aria/useField';

/** Props of `TextField`; all attributes of a native input beside. */
export interface TextFieldProps
  extends Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'style' | 'onChange' | 'value' | 'id'> {
  readonly label: ReactNode;
  /** For a label that repeats a heading: read out, not shown. */
  readonly labelHidden?: boolean;
  /** Help below the field, read with it. */
  readonly description?: ReactNode;
  /** What is wrong with the value; red, read with the field. */
  readonly error?: string | undefined;
  /** Printed at the end of the field, such as a unit. */
  readonly unit?: string;
  /** For addresses and numbers, whose characters are compared one by one. */
  readonly code?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A labelled input with its help and its error. */
export function TextField({
  label,
  labelHidden = false,
  description,
  error,
  unit,
  code = false,
  value,
  onChange,
  ...attributes
}: TextFieldProps) {
  const { labelProps, fieldProps, descriptionProps, errorMessageProps } = useField({
    label,
    description,
    errorMessage: error,
    isInvalid: error !== undefined,
  });
  return (
    <div className="text-field">
      <label {...labelProps} htmlFor={fieldProps.id} className={labelHidden ? 'visually-hidden' : 'text-field__label'}>
        {label}
      </label>
      <span className="text-field__box">
        <input
          {...attributes}
          {...fieldProps}
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
        <p {...errorMessageProps} className="text-field__error">
          {error}
        </p>
      )}
      {description !== undefined && (
        <div {...descriptionProps} className="text-field__description">
          {description}
        </div>
      )}
    </div>
  );
}
