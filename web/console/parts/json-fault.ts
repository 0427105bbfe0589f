/** The text of a field is not valid JSON. */
export class JsonFault extends Error {
  readonly fault: string;
  /** Path of the form field, or empty. */
  readonly path: string;

  constructor(name: string, fault: string, path: string) {
    super(`${name}: ${fault}`);
    this.fault = fault;
    this.path = path;
  }
}
