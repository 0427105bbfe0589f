import { MAX_CHARACTERS } from '../../store/queries/listing.ts';
import { invalidRequest } from '../../domain/errors.ts';

/** Few larger responses are built at a time (docs/decisions/list-costs.md). */
const LARGE_CHARACTERS = 1024 * 1024;

export interface BoundedSum {
  /** Throws DomainError `invalid_request` above the limit of a response. */
  add: (characters: number) => void;
  isLarge: () => boolean;
}

export function createBoundedSum(parameter: 'limit' | 'populate'): BoundedSum {
  let sum = 0;
  return {
    add(characters) {
      sum += characters;
      if (sum <= MAX_CHARACTERS) return;
      throw invalidRequest(
        parameter,
        `a response has at most ${MAX_CHARACTERS} characters; request fewer records or fields`,
      );
    },
    isLarge: () => sum > LARGE_CHARACTERS,
  };
}
