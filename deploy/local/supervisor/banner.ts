export interface Facts {
  publicUrl: string;
  temporalUiUrl?: string;
  adminEmail: string;
  /** Only when the admin was made in this very start with a password that we invented. */
  generatedPassword?: string;
  temporal: string;
  /** How operators call Temporal's command line: its full path, and the server's address. */
  temporalCommand: string;
  store: string;
  /** As in `process.versions.node`. */
  node: string;
  startedInMs: number;
}

/** From this major version on V8 and gRPC cost noticeably less. */
const FAST_NODE = 24;

/** What an operator wants to see when everything is up, a line each. */
export function banner(facts: Facts): string[] {
  const rows: [string, string | undefined][] = [
    ['API', `${facts.publicUrl}/v2`],
    ['Docs', `${facts.publicUrl}/docs`],
    ['Temporal UI', facts.temporalUiUrl],
    ['Admin', facts.adminEmail],
    ['Password', facts.generatedPassword && `${facts.generatedPassword}   (shown this once)`],
    ['Store', facts.store],
    ['Temporal', facts.temporal],
    ['Operators', facts.temporalCommand],
    ['Node', fasterNode(facts.node)],
  ];
  return [
    `Parlance is ready after ${(facts.startedInMs / 1000).toFixed(1)} s. Ctrl-C ends it.`,
    ...rows.flatMap(([name, value]) => (value ? [`  ${name.padEnd(12)} ${value}`] : [])),
  ];
}

/** What is worth saying of this Node: 24 does a fifth more (docs/benchmarks.md). */
function fasterNode(version: string): string | undefined {
  return Number.parseInt(version, 10) < FAST_NODE
    ? `${version}; with ${FAST_NODE} or newer Parlance does about a fifth more`
    : undefined;
}
