/**
 * Control characters (C0, DEL, C1), line and paragraph separators, and what turns the direction of
 * text. A terminal may execute them, or show another text than the one that was written.
 */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** Returns the text in one line, with control characters as JSON's escapes, such as `\u001b`. */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, escapeControl);
}

function escapeControl(control: string): string {
  const short = JSON.stringify(control).slice(1, -1);
  return short === control ? `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}` : short;
}
