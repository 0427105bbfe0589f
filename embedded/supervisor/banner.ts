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
  startedInMs: number;
}

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
  ];
  return [
    `Parlance is ready after ${(facts.startedInMs / 1000).toFixed(1)} s. Ctrl-C ends it.`,
    ...rows.flatMap(([name, value]) => (value ? [`  ${name.padEnd(12)} ${value}`] : [])),
  ];
}
