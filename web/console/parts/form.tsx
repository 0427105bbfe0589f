import { createContext } from 'preact';
import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { Problem } from './notices.tsx';
import { getDetails, findField, withField, describeProblem } from './refusals.ts';

interface Refusals {
  error: Error | undefined;
  fields: Set<string>;
}

const Around = createContext<Refusals>({ error: undefined, fields: new Set() });

interface FormProps {
  submit: () => unknown;
  error: Error | undefined;
  /** Field that gets an error without details. */
  field?: string;
  label?: string;
  class?: string;
  children: ComponentChildren;
}

/**
 * Shows each error at its field. The first invalid field gets the focus. `FormProblem` shows the
 * other errors.
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

/** Errors that belong to no field of the form. */
export function FormProblem() {
  const { error, fields } = useContext(Around);
  return <Problem error={error} isElsewhere={(path) => findField(path, fields) !== undefined} />;
}

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
