import { foldText, isUnspaced } from '../../../domain/query/fold-text.ts';

export interface Piece {
  text: string;
  isMatch: boolean;
}

/** More would push the match out of a row of the inbox, behind the author. */
const BEFORE = 15;
const LENGTH = 160;
const IN_WORD = /[\p{L}\p{N}]/u;

/** Returns the pieces of a text around the first word that the search matches. */
export function findExcerpt(text: string, search: string): Piece[] {
  const line = text.replace(/\s+/g, ' ').trim();
  const matches = findMatches(line, search);
  const first = matches[0]?.start ?? 0;
  const begin = first > BEFORE + 10 ? line.indexOf(' ', first - BEFORE) + 1 || first - BEFORE : 0;
  const end = Math.min(line.length, begin + LENGTH);
  const pieces: Piece[] = [];
  const add = (from: number, to: number, isMatch: boolean) => {
    if (to > from) pieces.push({ text: line.slice(from, to), isMatch });
  };
  let at = begin;
  for (const { start, stop } of matches.filter((match) => match.start >= begin && match.start < end)) {
    add(at, start, false);
    add(start, Math.min(stop, end), true);
    at = Math.min(stop, end);
  }
  add(at, end, false);
  if (begin > 0) pieces.unshift({ text: '…', isMatch: false });
  if (end < line.length) pieces.push({ text: '…', isMatch: false });
  return pieces;
}

interface Match {
  start: number;
  stop: number;
}

/** Returns the words that begin with a word of the search, in order and without overlaps. */
function findMatches(line: string, search: string): Match[] {
  const { folded, places } = foldWithPlaces(line);
  const words = foldWithPlaces(search)
    .folded.split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  const found = words.flatMap((word) => findWord(folded, word)).sort((a, b) => a.start - b.start);
  const matches: Match[] = [];
  for (const { start, stop } of found) {
    const match = { start: places[start] ?? 0, stop: places[stop] ?? line.length };
    if (match.start >= (matches.at(-1)?.stop ?? 0)) matches.push(match);
  }
  return matches;
}

function findWord(folded: string, word: string): Match[] {
  const found: Match[] = [];
  for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + word.length)) {
    const isBegin = !IN_WORD.test(folded[at - 1] ?? '') || isUnspaced(word);
    if (isBegin) found.push({ start: at, stop: at + word.length });
  }
  return found;
}

/** Returns the text in lower case without accents, and the place of each character in the text. */
function foldWithPlaces(text: string): { folded: string; places: number[] } {
  const places: number[] = [];
  let folded = '';
  let at = 0;
  for (const character of text) {
    const plain = foldText(character);
    for (let unit = 0; unit < plain.length; unit += 1) places.push(at);
    folded += plain;
    at += character.length;
  }
  places.push(text.length);
  return { folded, places };
}
