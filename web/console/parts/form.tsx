import { createContext } from 'preact';
import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useAction } from '../use-action.ts';
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
  /** Field that shows an error without details. */
  field?: string | undefined;
  label?: string | undefined;
  class?: string | undefined;
  children: ComponentChildren;
}

/** Shows errors at their fields or in `FormProblem`. Focuses the first invalid field. */
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

interface ActionFormProps extends Pick<FormProps, 'field' | 'label' | 'children'> {
  submit: () => Promise<unknown>;
  word: string;
  runningWord?: string;
  /** Shown after `submit` succeeded. */
  done?: string | undefined;
  look?: 'main' | 'danger' | 'plain' | 'inline';
}

export function ActionForm({
  submit,
  word,
  runningWord = word,
  done,
  look = 'main',
  children,
  ...form
}: ActionFormProps) {
  const { isRunning, error, run } = useAction();
  const isInline = look === 'inline';
  const button = (
    <button
      type="submit"
      class={look === 'main' || look === 'danger' ? look : undefined}
      disabled={isRunning}
    >
      {isRunning ? runningWord : word}
    </button>
  );
  return (
    <Form {...form} class={isInline ? 'inline' : undefined} error={error} submit={() => run(submit)}>
      {children}
      {isInline ? button : null}
      <FormProblem />
      {done === undefined ? null : <p role="status">{done}</p>}
      {isInline ? null : button}
    </Form>
  );
}

export type BindField<T> = (
  name: keyof T & string,
  path?: string,
) => { path: string; value: string; set: (value: string) => void };

export function useFields<T extends Record<keyof T, string>>(initial: T | (() => T)) {
  const [values, setValues] = useState(initial);
  const bind: BindField<T> = (name, path = name) => ({
    path,
    value: values[name],
    set: (value) => setValues((before) => ({ ...before, [name]: value })),
  });
  return { values, bind, setValues };
}
