import { createElement } from 'preact';
import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  label: string;
  /** What to know before one writes. */
  hint?: ComponentChildren;
  children: (id: string, describedBy: string | undefined) => JSX.Element;
}

/** A control with its name, and what helps to fill it. */
export function Field({ label, hint, children }: FieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id, hint === undefined ? undefined : `${id}-hint`)}
      {hint === undefined ? null : (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface TextFieldProps {
  label: string;
  value: string;
  set: (value: string) => void;
  hint?: ComponentChildren;
  type?: 'text' | 'email' | 'password' | 'url' | 'datetime-local' | 'number' | 'search';
  required?: boolean;
  autocomplete?: string;
  rows?: number;
}

/** A text, on one line or on several. */
export function TextField({ label, value, set, hint, type = 'text', rows, ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint}>
      {(id, describedBy) => {
        const shared = {
          id,
          value,
          'aria-describedby': describedBy,
          onInput: ({ currentTarget }: { currentTarget: { value: string } }) => set(currentTarget.value),
          ...rest,
        };
        if (rows !== undefined) return <textarea rows={rows} {...shared} />;
        return createElement('input', { type, ...shared } as JSX.IntrinsicElements['input']);
      }}
    </Field>
  );
}

interface SearchFieldProps {
  label: string;
  placeholder: string;
  set: (words: string) => void;
}

/** A filter by words, which counts when one is done writing. */
export function SearchField({ label, placeholder, set }: SearchFieldProps) {
  return (
    <Field label={label}>
      {(id) => (
        <input
          id={id}
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

interface SelectProps {
  label: string;
  value: string;
  set: (value: string) => void;
  options: readonly Option[];
  hint?: ComponentChildren;
}

export function SelectField({ label, value, set, options, hint }: SelectProps) {
  return (
    <Field label={label} hint={hint}>
      {(id, describedBy) => (
        <select
          id={id}
          value={value}
          aria-describedby={describedBy}
          onChange={({ currentTarget }) => set(currentTarget.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
