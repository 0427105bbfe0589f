import { UNFOLDED, searchWords } from '../../domain/query/search-words.ts';
import { inBatches } from '../queries/batches.ts';
import { searchWordsModel } from './search-words.ts';
import type { SearchWordsDocument } from './search-words.ts';

/**
 * Writes words that earlier releases noted (`straße`) as they are searched now (`strasse`).
 * Repeatable; resolves to whether it came to the end before `goesOn` said no. A row that is written
 * by another process at the same moment is read again.
 */
export async function foldSearchWords(goesOn: () => boolean): Promise<boolean> {
  const filter = { words: { $regex: UNFOLDED } };
  return inBatches<SearchWordsDocument>(searchWordsModel, { filter, goesOn, visit: fold });
}

async function fold(row: SearchWordsDocument): Promise<void> {
  const { _id, stamp, words, own, results, contact } = row;
  const folded = {
    words: foldedWords(words),
    own: foldedWords(own),
    results: foldedWords(results),
    contact: foldedWords(contact),
  };
  const { matchedCount } = await searchWordsModel.collection.updateOne(
    { _id, stamp },
    { $set: { ...folded, stamp: stamp + 1 } },
  );
  if (matchedCount > 0) return;
  const now = await searchWordsModel.findById(_id).lean<SearchWordsDocument>();
  if (now) await fold(now);
}

// One by one: a source may have more words than one text is searched by.
function foldedWords(words: readonly string[]): string[] {
  return [...new Set(words.flatMap((word) => searchWords(word)))];
}
