import { createContext, type ReactNode, useContext, useId } from 'react';

interface Group {
  readonly name: string;
  readonly value: string | null;
  readonly onChange: (value: string) => void;
}

const GroupOfCards = createContext<Group | undefined>(undefined);

interface RadioCardsProps {
  /** Names the group for screen readers; the step's title says it to everyone else. */
  readonly label: string;
  /** Null while nothing is chosen. */
  readonly value: string | null;
  readonly onChange: (value: string) => void;
  /** `RadioCard`s. */
  readonly children: ReactNode;
}

/** One choice among cards: native radio buttons, so arrow keys move and the tab key passes the whole group. */
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
  /** What is chosen, large. */
  readonly title: ReactNode;
  /** Above the title, small. */
  readonly name?: ReactNode;
  readonly detail: ReactNode;
}

/** A card of `RadioCards`; the whole card is the target. */
export function RadioCard({ value, title, name, detail }: RadioCardProps) {
  const group = useContext(GroupOfCards);
  if (!group) throw new Error('RadioCard stands outside of RadioCards');
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
