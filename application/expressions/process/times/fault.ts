/** An error that JSONata passes on with its message, and that faultOf gives its place. */
export function timeError(message: string): Error {
  return Object.assign(new Error(message), { code: 'time' });
}

/** A text as faults quote it. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
