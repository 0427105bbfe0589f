import { Button } from '../parts/button.tsx';
import { ConfirmButton, DialogButton } from '../parts/dialog.tsx';
import { Empty, Loading, Problem } from '../parts/notices.tsx';
import type { StoredRecord } from '../records/kinds.ts';
import { formatHref } from '../route.ts';
import { useAction } from '../use-action.ts';
import { useQuery } from '../use-query.ts';
import { EventTypeHint } from './event-type.tsx';
import { TimerForm } from './form.tsx';
import { changeTimer } from './save.ts';
import { describeTimer } from './sentence.ts';
import type { OwnedTimer, Timer } from './sentence.ts';
import { WORDS } from './texts.ts';
import { useSurroundings } from './use-surroundings.ts';
import type { Surroundings } from './use-surroundings.ts';
import { MAX_TIMERS } from '../../../domain/timers/bounds.ts';

interface Props {
  organization: StoredRecord;
  saved: (organization: StoredRecord) => void;
}

/** The timers that an organization has and inherits (spec 14.1). */
export function Timers({ organization, saved }: Props) {
  const path = { id: organization.id };
  const { value, error, again } = useQuery('GET /organizations/{id}/timers', { path });
  const around = useSurroundings(organization, value ?? []);
  const change: Change = async (before, after) => {
    try {
      saved(await changeTimer({ organization: organization.id, before, after }));
    } finally {
      again();
    }
  };
  const shown = mergeTimers(value ?? [], organization.id);
  const isFull = shown.length >= MAX_TIMERS;
  return (
    <section class="timers" aria-label={WORDS.title}>
      <header class="head">
        <h2>{WORDS.title}</h2>
        <DialogButton word={WORDS.add} disabled={value === undefined || isFull}>
          {(close) => (
            <TimerForm hasName around={around} save={(timer) => change(undefined, timer).then(close)} />
          )}
        </DialogButton>
      </header>
      <p class="hint">{isFull ? WORDS.full : WORDS.what}</p>
      <Problem error={error} again={again} />
      {value === undefined && !error ? <Loading /> : null}
      {value?.length === 0 ? <Empty>{WORDS.none}</Empty> : null}
      <ul>
        {shown.map((one) => (
          <TimerItem key={one.timer.name} {...one} around={around} change={change} />
        ))}
      </ul>
    </section>
  );
}

type Change = (before: Timer | undefined, after: Timer | undefined) => Promise<void>;

interface Shown {
  timer: Timer;
  organization: string;
  isOwn: boolean;
  /** The inherited timer of the same name. */
  overridden?: OwnedTimer | undefined;
  /** Whether nearer timers leave no place for it. */
  isBeyond: boolean;
}

/** Returns the nearest timer of each name. `timers`: the nearest first. */
function mergeTimers(timers: readonly OwnedTimer[], own: string): Shown[] {
  const names = [...new Set(timers.map(({ name }) => name))];
  let held = 0;
  return names.flatMap((name) => {
    const [nearest, overridden] = timers.filter((one) => one.name === name);
    if (!nearest) return [];
    const { organization, ...timer } = nearest;
    const isBeyond = !timer.disabled && held >= MAX_TIMERS;
    if (!timer.disabled) held += 1;
    return { timer, organization, isOwn: organization === own, overridden, isBeyond };
  });
}

interface ItemProps extends Shown {
  around: Surroundings;
  change: Change;
}

function TimerItem(props: ItemProps) {
  const { timer, organization, isOwn, overridden, isBeyond, around } = props;
  const { name, event, disabled = false } = timer;
  return (
    <li class={disabled ? 'off' : undefined}>
      <h3>
        {name} {disabled ? <span class="badge">{WORDS.isOff}</span> : null}{' '}
        {isOwn ? null : <span class="badge">{WORDS.inherited(around.getOrigin(organization))}</span>}{' '}
        {isOwn && overridden ? (
          <span class="badge">{WORDS.overrides(around.getOrigin(overridden.organization))}</span>
        ) : null}{' '}
        {isBeyond ? <span class="badge failed">{WORDS.tooMany}</span> : null}
      </h3>
      <Sentence timer={timer} around={around} />
      {disabled || around.types.some((one) => one.name === event) ? null : (
        <EventTypeHint name={event} around={around} />
      )}
      {isOwn ? <OwnCommands {...props} /> : <InheritedCommands {...props} />}
    </li>
  );
}

function Sentence({ timer, around }: Pick<ItemProps, 'timer' | 'around'>) {
  const type = around.types.find(({ name }) => name === timer.event);
  return (
    <p>
      {describeTimer(timer, around.getBotName(timer.user)).map(({ text, kind }, at) => {
        if (kind === 'event' && type)
          return (
            <a key={at} href={formatHref('events', 'types', type.id)}>
              {text}
            </a>
          );
        return kind ? <strong key={at}>{text}</strong> : text;
      })}
    </p>
  );
}

function OwnCommands({ timer, overridden, around, change }: ItemProps) {
  const { name, disabled } = timer;
  const action = useAction();
  const inherited = overridden && around.getOrigin(overridden.organization);
  return (
    <div class="commands" role="group" aria-label={WORDS.one(name)}>
      <DialogButton word={WORDS.edit} title={WORDS.editOne(name)}>
        {(close) => (
          <TimerForm
            timer={timer}
            hasName={!overridden}
            around={around}
            save={(next, before) => change(before, next).then(close)}
          />
        )}
      </DialogButton>
      <Button
        word={disabled ? WORDS.on : WORDS.off}
        disabled={action.isRunning}
        press={() => action.run(() => change(timer, toggleTimer(timer, overridden)))}
      />
      <ConfirmButton word={WORDS.remove} title={WORDS.removeOne(name)} act={() => change(timer, undefined)}>
        <p>{inherited === undefined ? WORDS.removeWhat : WORDS.removeInherited(inherited)}</p>
      </ConfirmButton>
      <Problem error={action.error} />
    </div>
  );
}

/** Returns undefined if the inherited timer holds again. */
function toggleTimer({ disabled, ...timer }: Timer, overridden: OwnedTimer | undefined): Timer | undefined {
  if (!disabled) return { ...timer, disabled: true };
  if (!overridden) return timer;
  const { organization: _, ...inherited } = overridden;
  return JSON.stringify(inherited) === JSON.stringify(timer) ? undefined : timer;
}

function InheritedCommands({ timer, around, change }: ItemProps) {
  const { name } = timer;
  return (
    <div class="commands" role="group" aria-label={WORDS.one(name)}>
      {timer.disabled ? null : (
        <ConfirmButton
          word={WORDS.offHere}
          title={WORDS.offOne(name)}
          act={() => change(undefined, { ...timer, disabled: true })}
        >
          <p>{WORDS.offHereWhat}</p>
        </ConfirmButton>
      )}
      <DialogButton word={WORDS.override} title={WORDS.overrideOne(name)}>
        {(close) => (
          <TimerForm
            timer={withoutSwitch(timer)}
            hasName={false}
            around={around}
            save={(next) => change(undefined, next).then(close)}
          />
        )}
      </DialogButton>
    </div>
  );
}

/** Returns a timer that is on, to override an inherited timer that is off. */
function withoutSwitch({ disabled: _, ...timer }: Timer): Timer {
  return timer;
}
