import { useState } from 'preact/hooks';
import { FIXED_TOUCHPOINTS } from '../../../domain/conversations/touchpoint.ts';
import { Button } from '../parts/button.tsx';
import { ChoicesField, SelectField, SuggestField, TextField } from '../parts/fields.tsx';
import { ActionForm } from '../parts/form.tsx';
import { OFFICE, toDraft, toTimer } from './draft.ts';
import type { Draft, Row } from './draft.ts';
import { EventTypeHint } from './event-type.tsx';
import { DAYS, ONLY, nameValue } from './sentence.ts';
import type { Timer, Unit } from './sentence.ts';
import { WORDS } from './texts.ts';
import type { Surroundings } from './use-surroundings.ts';

export interface TimerFormProps {
  /** Initial values. */
  timer?: Timer | undefined;
  /** The name of a timer that overrides an inherited one stays. */
  hasName: boolean;
  around: Surroundings;
  /** `before`: the timer when the form was opened. */
  save: (timer: Timer, before: Timer | undefined) => Promise<unknown>;
}

type SetDraft = (part: Partial<Draft>) => void;

interface PartProps {
  draft: Draft;
  set: SetDraft;
  around: Surroundings;
}

/** A form that reads as a sentence. */
export function TimerForm({ timer, hasName, around, save }: TimerFormProps) {
  const [before] = useState(timer);
  const [values, setValues] = useState(() => toDraft(before, ownTimeZone()));
  const [bot, ...otherBots] = around.bots;
  const isOnlyBot = values.user === '' && bot !== undefined && otherBots.length === 0;
  const draft = isOnlyBot ? { ...values, user: bot.id } : values;
  const set: SetDraft = (part) => setValues((now) => ({ ...now, ...part }));
  const isTaken = hasName && around.inheritedNames.includes(draft.name.trim());
  const parts = { draft, set, around };
  return (
    <ActionForm word={WORDS.save} submit={async () => save(toTimer(draft, before), before)}>
      {hasName ? (
        <TextField
          label={WORDS.name}
          path="name"
          required
          hint={isTaken ? WORDS.nameTaken : WORDS.nameHint}
          value={draft.name}
          set={(name) => set({ name })}
        />
      ) : null}
      <div class="sentence">
        <State {...parts} />
        <Post {...parts} />
        <Scope {...parts} />
        <Hours {...parts} />
      </div>
    </ActionForm>
  );
}

function State({ draft, set }: PartProps) {
  const states = Object.entries(WORDS.states).map(([value, text]) => ({ value, text }));
  const units = Object.entries(WORDS.units).map(([value, text]) => ({ value, text }));
  return (
    <>
      <SelectField
        label={WORDS.when}
        path="when"
        value={draft.when}
        set={(when) => set({ when: when as Timer['when'] })}
        options={states}
      />
      <div class="duration">
        <TextField
          label={WORDS.for}
          path="after"
          type="number"
          step="any"
          min="0"
          required
          value={draft.amount}
          set={(amount) => set({ amount })}
        />
        <SelectField
          label={WORDS.unit}
          value={draft.unit}
          set={(unit) => set({ unit: unit as Unit })}
          options={units}
        />
      </div>
    </>
  );
}

function Post({ draft: { event, user }, set, around }: PartProps) {
  const { bots, types } = around;
  const known = bots.map(({ id, name }) => ({ value: id, text: name }));
  const isUnseen = user !== '' && bots.every(({ id }) => id !== user);
  const unseen = isUnseen ? [{ value: user, text: around.getBotName(user) }] : [];
  return (
    <>
      <SuggestField
        label={WORDS.post}
        path="event"
        required
        values={types.map(({ name }) => name)}
        value={event}
        set={(next) => set({ event: next })}
      />
      <SelectField
        label={WORDS.as}
        path="user"
        hint={around.isLoaded && bots.length === 0 ? WORDS.noBot : undefined}
        value={user}
        set={(next) => set({ user: next })}
        options={[{ value: '', text: WORDS.chooseBot }, ...known, ...unseen]}
      />
      {event.trim() === '' ? null : <EventTypeHint name={event.trim()} around={around} isInForm />}
    </>
  );
}

type ConversationType = NonNullable<NonNullable<Timer['only']>['type']>[number];

const TYPES: Record<ConversationType, true> = {
  contact: true,
  agent: true,
  bot: true,
  admin: true,
  viewer: true,
  system: true,
};

function Scope({ draft: { isNarrow, only }, set, around: { categories } }: PartProps) {
  const known = { category: categories, type: Object.keys(TYPES), touchpoint: FIXED_TOUCHPOINTS };
  return (
    <>
      <SelectField
        label={WORDS.in}
        path="only"
        value={isNarrow ? 'some' : 'every'}
        set={(scope) => set({ isNarrow: scope === 'some' })}
        options={[
          { value: 'every', text: WORDS.every },
          { value: 'some', text: WORDS.some },
        ]}
      />
      {isNarrow
        ? ONLY.map((name) => (
            <Narrowing
              key={name}
              name={name}
              path={`only.${name}`}
              known={known[name]}
              isOpen={name !== 'type'}
              values={only[name]}
              set={(values) => set({ only: { ...only, [name]: values } })}
            />
          ))
        : null}
    </>
  );
}

interface NarrowingProps {
  name: (typeof ONLY)[number];
  path: string;
  known: readonly string[];
  /** Whether other values can be typed. */
  isOpen: boolean;
  values: readonly string[];
  set: (values: string[]) => void;
}

function Narrowing({ name, path, known, isOpen, values, set }: NarrowingProps) {
  const options = [...new Set([...known, ...values])].map((value) => ({
    value,
    text: nameValue(name, value),
  }));
  const label = WORDS.only[name];
  const toggle = (value: string, isChosen: boolean) => {
    const others = values.filter((one) => one !== value);
    set(isChosen ? [...others, value] : others);
  };
  const add = (field: HTMLInputElement) => {
    const value = field.value.trim();
    if (value !== '') toggle(value, true);
    field.value = '';
  };
  return (
    <ChoicesField
      label={label}
      path={path}
      options={options}
      chosen={(value) => values.includes(value)}
      toggle={toggle}
    >
      {isOpen ? (
        <input
          type="text"
          aria-label={WORDS.another(label)}
          placeholder={WORDS.another(label)}
          onChange={({ currentTarget }) => add(currentTarget)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.isComposing) return;
            event.preventDefault();
            add(event.currentTarget);
          }}
        />
      ) : null}
    </ChoicesField>
  );
}

function Hours({ draft: { hasHours, week, timeZone }, set }: PartProps) {
  const replace = (at: number, rows: Row[]) =>
    set({ week: [...week.slice(0, at), ...rows, ...week.slice(at + 1)] });
  return (
    <>
      <SelectField
        label={WORDS.passes}
        path="hours"
        value={hasHours ? 'open' : 'always'}
        set={(choice) => set({ hasHours: choice === 'open' })}
        options={[
          { value: 'always', text: WORDS.always },
          { value: 'open', text: WORDS.open },
        ]}
      />
      {hasHours ? (
        <div class="hours">
          {week.map((row, at) => (
            <HoursRow
              key={at}
              at={at}
              row={row}
              set={(part) => replace(at, [{ ...row, ...part }])}
              remove={week.length > 1 ? () => replace(at, []) : undefined}
            />
          ))}
          <Button word={WORDS.addHours} press={() => set({ week: [...week, OFFICE] })} />
          <SuggestField
            label={WORDS.timeZone}
            path="hours.timeZone"
            required
            values={Intl.supportedValuesOf('timeZone')}
            value={timeZone}
            set={(zone) => set({ timeZone: zone })}
          />
        </div>
      ) : null}
    </>
  );
}

const MIDNIGHT = '24:00';

interface RowProps {
  at: number;
  row: Row;
  set: (part: Partial<Row>) => void;
  remove: (() => void) | undefined;
}

function HoursRow({ at, row: { days, from, to }, set, remove }: RowProps) {
  const path = `hours.week.${at}`;
  const toggle = (value: string, isChosen: boolean) =>
    set({ days: DAYS.filter((day) => (day === value ? isChosen : days.includes(day))) });
  return (
    <div class="hours-row" role="group" aria-label={WORDS.rowHours(at + 1)}>
      <ChoicesField
        label={WORDS.daysOfRow}
        class="days"
        path={`${path}.days`}
        options={DAYS.map((day) => ({ value: day, text: WORDS.days[day] }))}
        chosen={(value) => days.some((day) => day === value)}
        toggle={toggle}
      />
      <TextField
        label={WORDS.from}
        path={`${path}.from`}
        type="time"
        required
        value={from}
        set={(value) => set({ from: value })}
      />
      <TextField
        label={WORDS.to}
        path={`${path}.to`}
        type="time"
        required
        hint={to === MIDNIGHT ? WORDS.toHint : undefined}
        // A field of the type `time` has no 24:00.
        value={to === MIDNIGHT ? '00:00' : to}
        set={(value) => set({ to: value === '00:00' ? MIDNIGHT : value })}
      />
      {remove ? (
        <Button word="✕" class="quiet" aria-label={WORDS.removeHours(at + 1)} press={remove} />
      ) : null}
    </div>
  );
}

function ownTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
