import { useEffect, useState } from 'preact/hooks';
import { visibleName } from '../components/shown-text.ts';
import { TEXTS, getLanguage } from '../components/texts.ts';
import type { ChatState } from '../components/types.ts';
import { sendRating } from './server.ts';

const RATINGS = [1, 2, 3, 4, 5];
/** As in domain/messages/rating.ts. */
const MAX_COMMENT = 2_000;

/** Lines behind the last message: who has taken over, the closing, the rating. */
export function StandingLines({ state: { standing, messages, loaded } }: { state: ChatState }) {
  const { status, people = [], rating } = standing;
  const [isRated, setRated] = useState(false);
  const isClosed = status === 'closed';
  useEffect(() => {
    if (!isClosed) setRated(false);
  }, [isClosed]);
  if (!loaded || status === undefined) return null;
  if (!isClosed) {
    const names = people.flatMap((author) => visibleName(author) ?? []);
    const isNews = messages.at(-1)?.role !== 'agent';
    return names.length > 0 && isNews ? <p class="standing">{TEXTS.joined(joinNames(names))}</p> : null;
  }
  return (
    <>
      <p class="standing">{TEXTS.closed}</p>
      {isRated ? (
        <p class="standing" role="status">
          {TEXTS.rated}
        </p>
      ) : rating ? (
        <RatingCard takesComment={rating.takesComment} rated={() => setRated(true)} />
      ) : null}
    </>
  );
}

function joinNames(names: readonly string[]): string {
  return new Intl.ListFormat(getLanguage(), { type: 'conjunction' }).format(names);
}

function RatingCard({ takesComment, rated }: { takesComment: boolean; rated: () => void }) {
  const [rating, setRating] = useState(0);
  const [comment, setComment] = useState('');
  const [progress, setProgress] = useState<'idle' | 'sending' | 'failed'>('idle');
  const submit = async (event: Event) => {
    event.preventDefault();
    setProgress('sending');
    try {
      await sendRating(rating, comment);
      rated();
    } catch {
      setProgress('failed');
    }
  };
  return (
    <form class="rating" onSubmit={(event) => void submit(event)}>
      <fieldset>
        <legend>{TEXTS.rate}</legend>
        {RATINGS.map((one) => (
          <label key={one} class={one <= rating ? 'star chosen' : 'star'}>
            <input
              type="radio"
              name="rating"
              value={one}
              checked={one === rating}
              onChange={() => setRating(one)}
            />
            <Star />
            <span class="hidden">{TEXTS.rating(one, RATINGS.length)}</span>
          </label>
        ))}
      </fieldset>
      {rating > 0 && takesComment ? (
        <label class="comment">
          <span>{TEXTS.comment}</span>
          <textarea
            rows={2}
            maxLength={MAX_COMMENT}
            value={comment}
            onInput={({ currentTarget }) => setComment(currentTarget.value)}
          />
        </label>
      ) : null}
      {rating > 0 ? (
        <button type="submit" disabled={progress === 'sending'}>
          {TEXTS.sendRating}
        </button>
      ) : null}
      {progress === 'failed' ? <p role="alert">{TEXTS.ratingFailed}</p> : null}
    </form>
  );
}

function Star() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d="M12 2l3.09 6.26L22 9.27l-5 4.87 1.18 6.88L12 17.77l-6.18 3.25L7 14.14 2 9.27l6.91-1.01z" />
    </svg>
  );
}
