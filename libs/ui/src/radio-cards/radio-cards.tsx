import { createContext, type ReactNode, useContext, useRef } from 'react';
import { useRadio, useRadioGroup } from 'react-aria/useRadioGroup';
import { type RadioGroupState, useRadioGroupState } from 'react-stately/useRadioGroupState';

const GroupState = createContext<RadioGroupState | undefined>(undefined);

/** Props of `RadioCards`. */
export interface RadioCardsProps {
  /** Names the group for screen readers; the step's title says it to everyone else. */
  readonly label: string;
  /** Null while nothing is chosen. */
  readonly value: string | null;
  readonly onChange: (value: string) => void;
  /** `RadioCard`s. */
  readonly children: ReactNode;
}

/** One choice among cards: arrow keys move, the tab key passes the whole group. */
export function RadioCards({ label, value, onChange, children }: RadioCardsProps) {
  const group = { 'aria-label': label, value, onChange };
  const state = useRadioGroupState(group);
  const { radioGroupProps } = useRadioGroup(group, state);
  return (
    <GroupState value={state}>
      <div {...radioGroupProps} className="radio-cards">
        {children}
      </div>
    </GroupState>
  );
}

/** Props of `RadioCard`. */
export interface RadioCardProps {
  readonly value: string;
  /** What is chosen, large. */
  readonly title: ReactNode;
  /** Above the title, small. */
  readonly name?: ReactNode;
  readonly detail: ReactNode;
}

/** A card of `RadioCards`. */
export function RadioCard({ value, title, name, detail }: RadioCardProps) {
  const state = useContext(GroupState);
  if (!state) throw new Error('RadioCard stands outside of RadioCards');
  return <CardOfGroup state={state} value={value} title={title} name={name} detail={detail} />;
}

function CardOfGroup({ state, value, title, name, detail }: RadioCardProps & { readonly state: RadioGroupState }) {
  const input = useRef<HTMLInputElement>(null);
  const { inputProps, labelProps } = useRadio({ value, children: title }, state, input);
  return (
    <label {...labelProps} className="radio-card">
      <input {...inputProps} ref={input} className="radio-card__input" />
      <span className="radio-card__mark" aria-hidden="true" />
      <span className="radio-card__name">{name}</span>
      <span className="radio-card__title">{title}</span>
      <span className="radio-card__detail">{detail}</span>
    </label>
  );
}
