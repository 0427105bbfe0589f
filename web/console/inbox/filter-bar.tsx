import { useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import { Field, SelectField, TextField } from '../parts/fields.tsx';
import { ActionForm } from '../parts/form.tsx';
import type { Session } from '../session.ts';
import { LOCALE } from '../language.ts';
import { TEXTS } from '../texts.ts';
import { useEdited } from '../use-edited.ts';
import { useQuery } from '../use-query.ts';
import { useColleagues } from './assign.tsx';
import { useTeams } from './teams.tsx';
import type { Criteria, Criterion, InboxFilter, RatingRange } from './filters.ts';
import { useKnownLabels } from './labels.tsx';
import { narrowing as words } from './narrowing-texts.ts';
import { nameTouchpoint, INBOX_WORDS } from './texts.ts';
import { ViewNameField } from './view-name-field.tsx';
import { MAX_VIEWS, findByName } from './views.ts';
import type { Views } from './views.ts';

interface BarProps {
  session: Session;
  list: InboxFilter;
  criteria: Criteria;
  apply: (criteria: Criteria) => void;
  /** Whether the fields are shown. */
  isOpen: boolean;
  saved: Views;
}

/** Fields that narrow the list, and a chip for each criterion. */
export function FilterBar({ isOpen, ...props }: BarProps) {
  const { session, list, criteria, apply, saved } = props;
  const isNarrowed = Object.keys(criteria).length > 0;
  const { value: people = [] } = useColleagues(session, session.organization.id, isOpen || isNarrowed);
  const names = new Map(people.map(({ id, name }) => [id, name]));
  const { nameTeam } = useTeams();
  return (
    <>
      {isOpen ? <Fields {...props} names={names} /> : null}
      {isNarrowed ? (
        <div class="chips" role="group" aria-label={INBOX_WORDS.filter}>
          {describeCriteria(criteria, names, nameTeam).map(({ text, criterion }) => (
            <button
              key={criterion}
              type="button"
              class="chip"
              aria-label={words.remove(text)}
              onClick={() => apply(without(criteria, criterion))}
            >
              <span class="name">{text}</span> ✕
            </button>
          ))}
          <Button word={words.clear} class="quiet" press={() => apply({})} />
          <DialogButton word={words.saveView} class="quiet">
            {(close) => <SaveForm {...{ list, criteria, saved, close }} />}
          </DialogButton>
        </div>
      ) : null}
    </>
  );
}

type FieldsProps = Omit<BarProps, 'isOpen' | 'saved'> & { names: ReadonlyMap<string, string> };

function Fields({ session, list, criteria, apply, names }: FieldsProps) {
  const set = (criterion: Criterion) => (value: string) =>
    apply(value === '' ? without(criteria, criterion) : { ...criteria, [criterion]: value });
  const colleagues = [...names]
    .filter(([id]) => id !== session.user)
    .map(([id, name]) => ({ value: id, text: name }));
  const any = { value: '', text: words.any };
  return (
    <div class="filter-fields" role="group" aria-label={INBOX_WORDS.filter}>
      <SelectField
        label={words.assignee}
        value={criteria.assignee ?? ''}
        set={set('assignee')}
        options={[
          { value: '', text: words.anybody },
          { value: 'me', text: words.me },
          { value: 'nobody', text: words.nobody },
          ...colleagues,
        ]}
      />
      <TeamField list={list} value={criteria.team ?? ''} set={set('team')} />
      <CategoryField value={criteria.category ?? ''} set={set('category')} />
      <KnownField
        label={words.label}
        known={useKnownLabels()}
        value={criteria.label ?? ''}
        set={(label) => set('label')(label.toLowerCase())}
      />
      <SelectField
        label={words.channel}
        value={criteria.channel ?? ''}
        set={set('channel')}
        options={[any, ...listChannels(session, criteria)]}
      />
      {list.statuses.length === 0 ? null : (
        <SelectField
          label={words.status}
          value={criteria.status ?? ''}
          set={set('status')}
          options={[any, ...list.statuses.map((one) => ({ value: one, text: TEXTS.statuses[one] }))]}
        />
      )}
      <SelectField
        label={words.rating}
        value={criteria.rating ?? ''}
        set={set('rating')}
        options={[any, ...Object.entries(words.ratings).map(([value, text]) => ({ value, text }))]}
      />
      <TimeFields criteria={criteria} apply={apply} />
    </div>
  );
}

interface TeamFieldProps {
  list: InboxFilter;
  value: string;
  set: (value: string) => void;
}

function TeamField({ list, value, set }: TeamFieldProps) {
  const { teams } = useTeams();
  if (teams.length === 0 && value === '') return null;
  const offered = list.name === 'teams' ? teams.filter(({ isMember }) => isMember) : teams;
  return (
    <SelectField
      label={words.team}
      value={value}
      set={set}
      options={[
        { value: '', text: words.any },
        ...(list.name === 'teams' ? [] : [{ value: 'nobody', text: words.noTeam }]),
        ...offered.map(({ id, name }) => ({ value: id, text: name })),
      ]}
    />
  );
}

function listChannels(session: Session, { channel }: Criteria) {
  const codes = new Set(['web', ...session.touchpoints, ...(channel === undefined ? [] : [channel])]);
  return [...codes].map((code) => ({ value: code, text: nameTouchpoint(code) }));
}

const NEWEST = { select: 'category', category: '', sort: '-lastMessageAt', limit: 500 };

/** Offers the categories of the newest conversations, because agents cannot read all categories. */
function CategoryField({ value, set }: { value: string; set: (value: string) => void }) {
  const { value: newest = [] } = useQuery('GET /conversations', { query: NEWEST });
  const known = [...new Set(newest.flatMap(({ category }) => category ?? []))].sort();
  return <KnownField label={words.category} known={known} value={value} set={set} />;
}

interface KnownFieldProps {
  label: string;
  known: readonly string[];
  value: string;
  set: (value: string) => void;
}

/** Sets a value when the user chooses it, presses Enter or leaves the field. */
function KnownField({ label, known, value, set }: KnownFieldProps) {
  // A change of the list must not reset a name that is being typed.
  const [typed, setTyped] = useEdited(value);
  const choose = (text: string) => {
    const wanted = text.trim();
    set(known.find((one) => one.toLowerCase() === wanted.toLowerCase()) ?? wanted);
  };
  return (
    <Field label={label}>
      {(attributes) => (
        <>
          <input
            {...attributes}
            type="text"
            list={`${attributes.id}-known`}
            autocomplete="off"
            placeholder={words.any}
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
            onChange={({ currentTarget }) => choose(currentTarget.value)}
          />
          <datalist id={`${attributes.id}-known`}>
            {known.map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

const BETWEEN = 'between';

function TimeFields({ criteria, apply }: Pick<BarProps, 'criteria' | 'apply'>) {
  const { time, from, until, ...others } = criteria;
  const [isBetween, setBetween] = useState(false);
  const hasDays = from !== undefined || until !== undefined;
  const choose = (value: string) => {
    setBetween(value === BETWEEN);
    if (value !== BETWEEN) apply(value === '' ? others : { ...others, time: value });
    else apply(others);
  };
  const setDay = (name: 'from' | 'until') => (day: string) => {
    const days = { ...(from && { from }), ...(until && { until }), [name]: day };
    apply({ ...others, ...Object.fromEntries(Object.entries(days).filter(([, one]) => one !== '')) });
  };
  return (
    <>
      <SelectField
        label={words.time}
        value={isBetween || hasDays ? BETWEEN : (time ?? '')}
        set={choose}
        options={[
          { value: '', text: words.anyTime },
          ...Object.entries(words.times).map(([value, text]) => ({ value, text })),
          { value: BETWEEN, text: words.between },
        ]}
      />
      {isBetween || hasDays ? (
        <>
          <TextField label={words.from} type="date" value={from ?? ''} set={setDay('from')} />
          <TextField label={words.until} type="date" value={until ?? ''} set={setDay('until')} />
        </>
      ) : null}
    </>
  );
}

interface SaveProps extends Pick<BarProps, 'list' | 'criteria' | 'saved'> {
  close: () => void;
}

function SaveForm({ list, criteria, saved, close }: SaveProps) {
  const [name, setName] = useState('');
  const replaced = findByName(saved.views, name);
  if (!replaced && (saved.views?.length ?? 0) >= MAX_VIEWS) return <p>{words.tooMany}</p>;
  const save = async () => {
    await saved.save({ name: name.trim(), list, criteria });
    close();
  };
  return (
    <ActionForm word={TEXTS.save} field="name" submit={save}>
      <ViewNameField
        value={name}
        set={setName}
        hint={replaced ? words.replaces(replaced.name) : words.viewHint}
      />
    </ActionForm>
  );
}

function without(criteria: Criteria, ...gone: Criterion[]): Criteria {
  return Object.fromEntries(Object.entries(criteria).filter(([name]) => !gone.some((one) => one === name)));
}

function describeCriteria(
  criteria: Criteria,
  names: ReadonlyMap<string, string>,
  nameTeam: (id: string) => string,
) {
  return Object.entries(criteria).map(([name, value]) => {
    const criterion = name as Criterion;
    if (criterion !== 'team') return { criterion, text: describeCriterion(criterion, value, names) };
    return { criterion, text: value === 'nobody' ? words.noTeam : words.ofTeam(nameTeam(value)) };
  });
}

function describeCriterion(
  criterion: Exclude<Criterion, 'team'>,
  value: string,
  names: ReadonlyMap<string, string>,
): string {
  const day = () => new Date(`${value}T00:00`).toLocaleDateString(LOCALE, { day: 'numeric', month: 'short' });
  const texts: Record<typeof criterion, () => string> = {
    assignee: () => {
      const known = { me: words.me, nobody: words.nobody }[value] ?? names.get(value);
      return `${words.assignee}: ${known ?? INBOX_WORDS.somebody}`;
    },
    category: () => value,
    label: () => words.labelled(value),
    channel: () => nameTouchpoint(value),
    status: () => TEXTS.statuses[value as keyof typeof TEXTS.statuses],
    rating: () => words.rated(words.ratings[value as RatingRange]),
    time: () => words.times[value] ?? value,
    from: () => words.fromDay(day()),
    until: () => words.untilDay(day()),
  };
  return texts[criterion]();
}
