import { useEffect, useState } from 'preact/hooks';
import type { ComponentType, JSX } from 'preact';
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
      load().then(
        (found) => {
          loaded = found[name];
          setTurn((turn) => turn + 1);
        },
        async (problem: unknown) => {
          // The files of this page are gone after an upgrade of the server.
          if (await isOutdated().catch(() => false)) location.reload();
          else setError(problem as Error);
        },
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

/** Returns whether the server has another version of the console. */
async function isOutdated(): Promise<boolean> {
  const response = await fetch(location.pathname, { cache: 'no-store' });
  const scripts = [...document.querySelectorAll('script[src]')].map((one) => one.getAttribute('src') ?? '');
  const page = await response.text();
  return response.ok && !scripts.every((src) => page.includes(src));
}
