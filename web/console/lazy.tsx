import { useEffect, useState } from 'preact/hooks';
import type { ComponentType, JSX } from 'preact';
import { loadPart } from '../components/version.ts';
import { Loading, Problem } from './parts/notices.tsx';

/** Shows `waiting` until the module is loaded. */
export function lazy<Name extends string, Props extends object>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
  waiting = <Loading />,
): (props: Props) => JSX.Element {
  let loaded: ComponentType<Props> | undefined;
  return function Lazy(props: Props) {
    const [, setTurn] = useState(0);
    const [error, setError] = useState<Error>();
    const fetchIt = () => {
      setError(undefined);
      loadPart(load).then(
        (found) => {
          loaded = found[name];
          setTurn((turn) => turn + 1);
        },
        (problem: unknown) => setError(problem as Error),
      );
    };
    useEffect(() => {
      if (!loaded) fetchIt();
    }, []);
    const Loaded = loaded;
    if (Loaded) return <Loaded {...props} />;
    return error ? <Problem error={error} again={fetchIt} /> : waiting;
  };
}
