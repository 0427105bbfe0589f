import { createElement } from 'preact';
import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import { useFieldProblem } from './form.tsx';

interface ControlAttributes {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': 'true' | undefined;
}

interface FieldDescription {
  label: string;
  hint?: ComponentChildren;
  /** Path in the request body, such as `params.url`. */
  path?: string | undefined;
}

export function Field({
  label,
  hint,
  path,
  children,
}: FieldDescription & { children: (attributes: ControlAttributes) => JSX.Element }) {
  const id = useId();
  const problem = useFieldProblem(path);
  const described = [problem === '' ? '' : `${id}-problem`, hint === undefined ? '' : `${id}-hint`];
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-describedby': described.filter(Boolean).join(' ') || undefined,
        'aria-invalid': problem === '' ? undefined : 'true',
      })}
      <FieldProblem id={`${id}-problem`} problem={problem} />
      {hint === undefined ? null : (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

export function FieldProblem({ id, problem }: { id: string; problem: string }) {
  return problem === '' ? null : (
    <p class="wrong" id={id}>
      {problem}
    </p>
  );
}

interface TextFieldProps extends FieldDescription {
  value: string;
  set: (value: string) => void;
  type?: 'text' | 'email' | 'password' | 'url' | 'number' | 'time' | 'date' | 'datetime-local';
  required?: boolean;
  autocomplete?: string | undefined;
  rows?: number | undefined;
  /** `any` permits fractions of a number. */
  step?: 'any';
  min?: string;
  placeholder?: string;
  pattern?: string;
  maxLength?: number;
  /** Id of a `datalist`. */
  list?: string;
}

export function TextField({ label, value, set, hint, path, type = 'text', rows, ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} path={path}>
      {(attributes) => {
        const shared = {
          ...attributes,
          value,
          onInput: ({ currentTarget }: { currentTarget: { value: string } }) => set(currentTarget.value),
          ...rest,
        };
        if (rows !== undefined) return <textarea rows={rows} {...shared} />;
        return createElement('input', { type, ...shared } as JSX.IntrinsicElements['input']);
      }}
    </Field>
  );
}

/** A text field that suggests values, and takes any other one. */
export function SuggestField({ values, ...field }: TextFieldProps & { values: readonly string[] }) {
  const id = useId();
  return (
    <>
      <TextField {...field} autocomplete="off" list={id} />
      <datalist id={id}>
        {values.map((value) => (
          <option key={value} value={value} />
        ))}
      </datalist>
    </>
  );
}

interface PasswordFieldProps extends Pick<TextFieldProps, 'label' | 'value' | 'set' | 'path' | 'hint'> {
  isNew?: boolean;
}

export function PasswordField({ isNew = false, ...field }: PasswordFieldProps) {
  const autocomplete = isNew ? 'new-password' : 'current-password';
  return <TextField {...field} type="password" required autocomplete={autocomplete} />;
}

interface SearchFieldProps {
  label: string;
  placeholder: string;
  set: (words: string) => void;
}

/** Calls `set` when the user presses Enter or leaves the field. */
export function SearchField({ label, placeholder, set }: SearchFieldProps) {
  return (
    <Field label={label}>
      {(attributes) => (
        <input
          {...attributes}
          type="search"
          placeholder={placeholder}
          onChange={({ currentTarget }) => set(currentTarget.value.trim())}
        />
      )}
    </Field>
  );
}

export interface Option {
  value: string;
  text: string;
}

interface SelectProps extends FieldDescription {
  value: string;
  set: (value: string) => void;
  /** A string option is both the value and the text. */
  options: readonly (string | Option)[];
}

export function SelectField({ label, value, set, options, hint, path }: SelectProps) {
  return (
    <Field label={label} hint={hint} path={path}>
      {(attributes) => (
        <select {...attributes} value={value} onChange={({ currentTarget }) => set(currentTarget.value)}>
          {options.map((option) => {
            const { value: one, text } =
              typeof option === 'string' ? { value: option, text: option } : option;
            return (
              <option key={one} value={one}>
                {text}
              </option>
            );
          })}
        </select>
      )}
    </Field>
  );
}

interface ChoicesProps extends Omit<FieldDescription, 'hint'> {
  options: readonly Option[];
  chosen: (value: string) => boolean;
  toggle: (value: string, isChosen: boolean) => void;
  class?: string;
  children?: ComponentChildren;
}

/** Several of the options. */
export function ChoicesField({ label, path, options, chosen, toggle, children, ...rest }: ChoicesProps) {
  const id = useId();
  const problem = useFieldProblem(path);
  return (
    <fieldset class={rest.class ?? 'field choices'} aria-describedby={problem === '' ? undefined : id}>
      <legend>{label}</legend>
      <FieldProblem id={id} problem={problem} />
      {options.map(({ value, text }) => (
        <label key={value}>
          <input
            type="checkbox"
            aria-invalid={problem === '' ? undefined : 'true'}
            checked={chosen(value)}
            onChange={({ currentTarget }) => toggle(value, currentTarget.checked)}
          />{' '}
          {text}
        </label>
      ))}
      {children}
    </fieldset>
  );
}
