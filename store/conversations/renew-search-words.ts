import { contactWords, conversationWords, searchWords } from '../../domain/query/search-words.ts';
import { inBatches } from '../queries/batches.ts';
import { findContactOf } from './contacts.ts';
import { conversationModel } from './conversations.ts';
import type { ConversationDocument } from './conversations.ts';
import { allWords, searchWordsModel } from './search-words.ts';
import type { SearchWordsDocument } from './search-words.ts';

type Source = Pick<ConversationDocument, '_id' | 'name' | 'forms' | 'contact'>;

/**
 * Writes words that earlier releases stored as they are searched now: those of a conversation and
 * its contact anew, those of results from the stored words, because their texts may be long ago.
 * Repeatable; resolves to whether it came to the end before `goesOn` said no. A row that is written
 * by another process at the same moment is read again.
 */
export async function renewSearchWords(goesOn: () => boolean): Promise<boolean> {
  return inBatches<SearchWordsDocument>(searchWordsModel, { filter: {}, goesOn, visit: renew });
}

async function renew(row: SearchWordsDocument): Promise<void> {
  const { _id, stamp } = row;
  const words = await renewed(row);
  if (
    allWords(words).every((word) => row.words.includes(word)) &&
    row.words.length === allWords(words).length
  )
    return;
  const { matchedCount } = await searchWordsModel.collection.updateOne(
    { _id, stamp },
    { $set: { ...words, words: allWords(words), stamp: stamp + 1 } },
  );
  if (matchedCount > 0) return;
  const now = await searchWordsModel.findById(_id).lean<SearchWordsDocument>();
  if (now) await renew(now);
}

type Words = Pick<SearchWordsDocument, 'own' | 'results' | 'contact'>;

async function renewed({ _id, own, results, contact }: SearchWordsDocument): Promise<Words> {
  const conversation = await conversationModel
    .findById(_id, { name: 1, forms: 1, contact: 1 })
    .lean<Partial<Source> | null>();
  const person = conversation?.contact === undefined ? null : await findContactOf(conversation.contact);
  const { name, forms } = conversation ?? {};
  return {
    own: forms ? conversationWords({ name, forms }) : foldedWords(own),
    results: foldedWords(results),
    contact: person ? contactWords(person.profile) : foldedWords(contact),
  };
}

// One by one: a source may have more words than one text is searched by.
function foldedWords(words: readonly string[]): string[] {
  return [...new Set(words.flatMap((word) => searchWords(word)))];
}
