declare module '*.css' {
  /** Style sheet as text, in the widget's script. */
  const text: string;
  export default text;
}
