import { useEffect, useState } from 'preact/hooks';
import type { ComponentType, JSX } from 'preact';
import { loadPart } from '../components/version.ts';
import { whenTranslated } from './load-language.ts';
import { Loading, Problem } from './parts/notices.tsx';

export interface Lazy<Props extends object> {
  (props: Props): JSX.Element;
  /** Begins to load the module before it is shown. */
  begin: () => void;
}

/** Shows `waiting` until the module and its texts are loaded. */
export function lazy<Name extends string, Props extends object>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
  waiting: JSX.Element | ((props: Props) => JSX.Element) = <Loading />,
): Lazy<Props> {
  let loaded: ComponentType<Props> | undefined;
  const fetchIt = async () => {
    const [found] = await Promise.all([loadPart(load), whenTranslated()]);
    loaded = found[name];
  };
  function Lazy(props: Props) {
    const [, setTurn] = useState(0);
    const [error, setError] = useState<Error>();
    const show = () => {
      setError(undefined);
      fetchIt().then(
        () => setTurn((turn) => turn + 1),
        (problem: unknown) => setError(problem as Error),
      );
    };
    const Loaded = loaded;
    useEffect(() => {
      // The module may have been loaded since the rendering.
      if (!Loaded) show();
    }, []);
    if (Loaded) return <Loaded {...props} />;
    if (error) return <Problem error={error} again={show} />;
    return typeof waiting === 'function' ? waiting(props) : waiting;
  }
  // A failure is shown, and mended, when the module is shown.
  return Object.assign(Lazy, { begin: () => void fetchIt().catch(() => undefined) });
}
