import type { Dispatcher } from 'undici';

/**
 * A piece of an answer costs the worker's one thread as much as kilobytes of it: so many may be
 * smaller than SMALL_BYTES on average.
 */
const MAX_SMALL_PIECES = 512;
const SMALL_BYTES = 64;

/** Answers before the answer (status 1xx). */
const MAX_INTERIM_ANSWERS = 8;

/** The code of the error that an answer ends with which comes in too many small pieces. */
export const SMALL_PIECES = 'TOO_MANY_SMALL_PIECES';

/**
 * This bound and `boundReads` are both needed. That one counts bytes on the wire, of which the
 * parser throws much away; this one counts the pieces that the parser makes of few bytes, such as
 * chunks of one byte, which no count of bytes sees.
 *
 * Ends an exchange whose answer is not long but many: it would stall everything else that the
 * process does.
 */
export function limitSmallPieces(dispatch: Dispatcher['dispatch']): Dispatcher['dispatch'] {
  return (options, handler) => {
    let [interim, pieces, bytes] = [0, 0, 0];
    return dispatch(options, {
      onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
      onRequestUpgrade: (...upgrade) => handler.onRequestUpgrade?.(...upgrade),
      onResponseStart(controller, status, headers, words) {
        if (status < 200) interim += 1;
        if (interim > MAX_INTERIM_ANSWERS) controller.abort(tooManyPiecesError());
        else handler.onResponseStart?.(controller, status, headers, words);
      },
      onResponseData(controller, piece) {
        pieces += 1;
        bytes += piece.length;
        if (pieces > MAX_SMALL_PIECES && bytes < pieces * SMALL_BYTES) controller.abort(tooManyPiecesError());
        else handler.onResponseData?.(controller, piece);
      },
      onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
      onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
    });
  };
}

function tooManyPiecesError(): Error {
  return Object.assign(new Error('The answer comes in too many small pieces.'), { code: SMALL_PIECES });
}
