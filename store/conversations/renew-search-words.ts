import { contactWords, conversationWords, searchWords } from '../../domain/query/search-words.ts';
import { inBatches } from '../queries/batches.ts';
import { findContactOf } from './contacts.ts';
import { conversationModel } from './conversations.ts';
import type { ConversationDocument } from './conversations.ts';
import { allWords, searchWordsModel } from './search-words.ts';
import type { SearchWordsDocument } from './search-words.ts';

type Source = Pick<ConversationDocument, '_id' | 'name' | 'forms' | 'contact'>;

/**
 * Writes words that earlier releases stored in the form in which they are searched now. The words
 * of a conversation and its contact are made from their texts, the words of results from the stored
 * words, because their texts may be gone. Repeatable; resolves to false where `goesOn` ended it
 * early. A row that another process writes at the same moment is read again.
 */
export async function renewSearchWords(goesOn: () => boolean): Promise<boolean> {
  return inBatches<SearchWordsDocument>(searchWordsModel, { filter: {}, goesOn, visit: renew });
}

async function renew(row: SearchWordsDocument): Promise<void> {
  const { _id, stamp } = row;
  const sources = await renewed(row);
  const words = allWords(sources);
  const isCurrent = new Set([...row.words, ...words]).size === row.words.length;
  if (isCurrent && row.words.length === words.length) return;
  const { matchedCount } = await searchWordsModel.collection.updateOne(
    { _id, stamp },
    { $set: { ...sources, words, stamp: stamp + 1 } },
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
