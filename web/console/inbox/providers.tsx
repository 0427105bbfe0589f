import type { ComponentChildren, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Session } from '../session.ts';
import { ChangesProvider } from './changes.tsx';
import { CountsContext, useCounts } from './counts.tsx';
import type { Counts } from './counts.tsx';
import { TeamsProvider } from './teams.tsx';

export interface ProvidersProps {
  session: Session;
  /** Called when a count has changed. */
  setCounts: (counts: Counts) => void;
  /** Shown until the providers are loaded. */
  waiting: JSX.Element;
  children: ComponentChildren;
}

/** The stream of changes, the teams and the counts, which all screens share. */
export function InboxProviders(props: ProvidersProps) {
  return (
    <ChangesProvider isWanted={props.session.scope !== 'guest'}>
      <TeamsProvider session={props.session}>
        <CountsProvider {...props} />
      </TeamsProvider>
    </ChangesProvider>
  );
}

function CountsProvider({ session, setCounts, children }: ProvidersProps) {
  const counts = useCounts(session);
  useEffect(() => setCounts(counts), [counts]);
  return <CountsContext.Provider value={counts}>{children}</CountsContext.Provider>;
}
