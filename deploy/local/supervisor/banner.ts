export interface Facts {
  publicUrl: string;
  temporalUiUrl?: string;
  adminEmail: string;
  /** Set only if this start created the admin with a generated password. */
  generatedPassword?: string;
  temporal: string;
  /** Full path of Temporal's command line with the server's address. */
  temporalCommand: string;
  store: string;
  node: string;
  startedInMs: number;
}

/** V8 and gRPC need noticeably less CPU from this major version on. */
const FAST_NODE = 24;

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

/**
 * Returns the version and a hint for a Node older than 24, with which Parlance processes about a
 * fifth less (docs/benchmarks.md). Returns undefined for newer versions.
 */
function fasterNode(version: string): string | undefined {
  return Number.parseInt(version, 10) < FAST_NODE
    ? `${version}; with ${FAST_NODE} or newer Parlance does about a fifth more`
    : undefined;
}
