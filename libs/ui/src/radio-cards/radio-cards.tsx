import { createContext, type ReactNode, useContext, useId } from 'react';

interface Group {
  readonly name: string;
  readonly value: string | null;
  readonly onChange: (value: string) => void;
}

const GroupOfCards = createContext<Group | undefined>(undefined);

interface RadioCardsProps {
  /** Name of the group for screen readers; other visitors see the step's title. */
  readonly label: string;
  /** Null while nothing is chosen. */
  readonly value: string | null;
  readonly onChange: (value: string) => void;
  /** Contains `RadioCard`s. */
  readonly children: ReactNode;
}

/** A choice among cards: native radio buttons, so arrow keys change the choice and Tab leaves the group. */
export function RadioCards({ label, value, onChange, children }: RadioCardsProps) {
  const name = useId();
  return (
    <GroupOfCards value={{ name, value, onChange }}>
      <fieldset className="radio-cards">
        <legend className="visually-hidden">{label}</legend>
        {children}
      </fieldset>
    </GroupOfCards>
  );
}

interface RadioCardProps {
  readonly value: string;
  /** The option, in large type. */
  readonly title: ReactNode;
  /** Above the title, in small type. */
  readonly name?: ReactNode;
  readonly detail: ReactNode;
}

/** A card of `RadioCards`; the whole card is the click target. */
export function RadioCard({ value, title, name, detail }: RadioCardProps) {
  const group = useContext(GroupOfCards);
  if (!group) throw new Error('RadioCard must be inside RadioCards');
  return (
    <label className={name === undefined ? 'radio-card radio-card--unnamed' : 'radio-card'}>
      <input
        className="radio-card__input"
        type="radio"
        name={group.name}
        value={value}
        checked={group.value === value}
        onChange={() => group.onChange(value)}
      />
      <span className="radio-card__mark" aria-hidden="true" />
      {name !== undefined && <span className="radio-card__name">{name}</span>}
      <span className="radio-card__title">{title}</span>
      <span className="radio-card__detail">{detail}</span>
    </label>
  );
}
