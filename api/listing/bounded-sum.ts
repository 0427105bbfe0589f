import { MAX_CHARACTERS } from '../../store/queries/listing.ts';
import { invalidRequest } from '../../domain/errors.ts';

/**
 * An answer with more is large: a process puts few of them together at once
 * (docs/decisions/list-costs.md).
 */
const LARGE_CHARACTERS = 1024 * 1024;

/** Adds up the characters that an answer is going to show. */
export interface BoundedSum {
  /**
   * Throws DomainError `invalid_request`, naming the parameter, when there are more than an answer
   * holds.
   */
  add: (characters: number) => void;
  /** Whether it has come to more than 1,048,576 characters. */
  isLarge: () => boolean;
}

/** A sum for one answer. `parameter` is what the caller has to change to be shown less. */
export function createBoundedSum(parameter: 'limit' | 'populate'): BoundedSum {
  let sum = 0;
  return {
    add(characters) {
      sum += characters;
      if (sum <= MAX_CHARACTERS) return;
      throw invalidRequest(
        parameter,
        `an answer shows ${MAX_CHARACTERS} characters at most; ask for fewer records or fields`,
      );
    },
    isLarge: () => sum > LARGE_CHARACTERS,
  };
}
