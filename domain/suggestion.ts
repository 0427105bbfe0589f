const MAX_CHARACTERS = 64;
const MAX_CANDIDATES = 500;

/** Returns the closest candidate, if any is close. Pass only candidates that the caller may see. */
export function suggestionFor(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length < 2 || word.length > MAX_CHARACTERS) return undefined;
  const given = word.toLowerCase();
  const allowed = given.length < 4 ? 1 : given.length < 7 ? 2 : 3;
  let best: { candidate: string; mistakes: number } | undefined;
  let looked = 0;
  for (const candidate of candidates) {
    if ((looked += 1) > MAX_CANDIDATES) break;
    if (candidate === word || Math.abs(candidate.length - word.length) > allowed) continue;
    const mistakes = mistakesBetween(given, candidate.toLowerCase(), allowed);
    // With two mistakes in a short word, require the same first letter.
    const unlike = mistakes > 1 && given.length < 6 && candidate[0]?.toLowerCase() !== given[0];
    if (mistakes > allowed || unlike || mistakes >= (best?.mistakes ?? Infinity)) continue;
    best = { candidate, mistakes };
  }
  return best?.candidate;
}

export function didYouMean(word: string, candidates: Iterable<string>): string {
  const suggestion = suggestionFor(word, candidates);
  return suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
}

/** Returns the Damerau-Levenshtein distance, or Infinity above `most`. */
function mistakesBetween(a: string, b: string, most: number): number {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i += 1) {
    const row: number[] = [];
    const from = Math.max(1, i - most);
    if (from === 1) row[0] = i;
    for (let j = from; j <= Math.min(b.length, i + most); j += 1) {
      const other = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped =
        a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? Infinity) + 1 : Infinity;
      const [missing, more] = [last[j] ?? Infinity, row[j - 1] ?? Infinity];
      row[j] = Math.min(missing + 1, more + 1, (last[j - 1] ?? Infinity) + other, swapped);
    }
    [before, last] = [last, row];
  }
  const mistakes = last[b.length] ?? Infinity;
  return mistakes > most ? Infinity : mistakes;
}
