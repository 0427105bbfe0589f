import { createContext } from 'preact';
import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { Problem } from './notices.tsx';
import { getDetails, findField, withField, describeProblem } from './refusals.ts';

interface Refusals {
  error: Error | undefined;
  /** The paths of the form's fields, once they are on the page. */
  fields: Set<string>;
}

const Around = createContext<Refusals>({ error: undefined, fields: new Set() });

interface FormProps {
  submit: () => unknown;
  /** The error of the last try. */
  error: Error | undefined;
  /** The path of the field that a refusal without a place is about. */
  field?: string;
  label?: string;
  class?: string;
  children: ComponentChildren;
}

/**
 * A form that shows a refusal at the fields it is about: each field names its path in the body of
 * the request. The first of them gets the focus. `FormProblem` shows the rest.
 */
export function Form({ submit, error, field, label, class: name, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const fields = useRef(new Set<string>());
  const refusals = useMemo(() => ({ error: withField(field, error), fields: fields.current }), [error]);
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  return (
    <Around.Provider value={refusals}>
      <form
        ref={form}
        class={name}
        aria-label={label}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {children}
      </form>
    </Around.Provider>
  );
}

/** The part of a refusal that belongs to no field of the form. */
export function FormProblem() {
  const { error, fields } = useContext(Around);
  return <Problem error={error} isElsewhere={(path) => findField(path, fields) !== undefined} />;
}

/** Returns the refusal of the field with this path; empty without a path. */
export function useFieldProblem(path: string | undefined): string {
  const { error, fields } = useContext(Around);
  useLayoutEffect(() => {
    if (path === undefined) return undefined;
    fields.add(path);
    return () => {
      fields.delete(path);
    };
  }, [path, fields]);
  return path === undefined ? '' : describeProblem(path, new Set([...fields, path]), getDetails(error));
}
