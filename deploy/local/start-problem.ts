/** Why `npm start` cannot start, worded for the operator. Printed without a stack. */
export class StartProblem extends Error {
  override readonly name = 'StartProblem';
}
