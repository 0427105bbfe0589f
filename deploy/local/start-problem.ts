/**
 * Why `npm start` cannot start, in words for the operator: it is printed as it is, without a stack.
 */
export class StartProblem extends Error {
  override readonly name = 'StartProblem';
}
