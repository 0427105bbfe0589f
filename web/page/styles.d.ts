/** Styles are imported for the bundler alone. */
declare module '*.css' {
  /** Its text, where it is built into a script. */
  const text: string;
  export default text;
}
