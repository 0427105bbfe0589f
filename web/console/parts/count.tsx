const MOST = 99;

/** Shows nothing for zero and for a number that is not known yet. */
export function Count({ of, isCalm = false }: { of: number | undefined; isCalm?: boolean }) {
  if (!of) return null;
  return <span class={isCalm ? 'count calm' : 'count'}>{of > MOST ? `${MOST}+` : of}</span>;
}
