import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';
import { DomainError } from '../../domain/errors.ts';
import type { SearchTerm } from '../../domain/query/search-terms.ts';
import { contactWords } from '../../domain/query/search-words.ts';
import { findContactById, findConversationsOf } from './contacts.ts';
import type { ContactDocument } from './contacts.ts';
import { tryInsert } from '../queries/insert.ts';
import type { Filter } from '../queries/compile-filter.ts';
import { findPage } from '../queries/listing.ts';
import type { ListQuery, Page } from '../queries/listing.ts';
import { organizationsWithin } from '../queries/reach.ts';
import type { Reach } from '../queries/reach.ts';

/** Search words by source (spec 5.10): each source is updated separately. */
export interface SearchWordsDocument {
  _id: string;
  organization: string;
  words: string[];
  /** Words of the name and open forms, as of `version`. */
  own: string[];
  version: number;
  /** Words of completed forms. */
  results: string[];
  /** Words of the contact's profile, as of `contactAt`. */
  contact: string[];
  contactAt: Date;
  /** Optimistic lock. */
  stamp: number;
}

const schema = new mongoose.Schema<SearchWordsDocument>(
  {
    _id: String,
    organization: String,
    words: [String],
    own: [String],
    version: Number,
    results: [String],
    contact: [String],
    contactAt: Date,
    stamp: Number,
  },
  { collection: 'searchwords', versionKey: false, strict: true },
);

schema.index({ organization: 1, words: 1 });

export const searchWordsModel = defineModel<SearchWordsDocument>('SearchWords', schema);

const MAX_TRIES = 20;
const MAX_RESULT_WORDS = 5000;

type Sources = Pick<SearchWordsDocument, 'own' | 'version' | 'results' | 'contact' | 'contactAt'>;
const NOTHING: Sources = { own: [], version: 0, results: [], contact: [], contactAt: new Date(0) };

export interface ConversationWords {
  id: string;
  organization: string;
  contact?: string | undefined;
  version: number;
  own: string[];
  /** Added to the stored result words. */
  results: string[];
}

/** Repeatable. */
export async function indexConversation(given: ConversationWords, isNew: boolean): Promise<void> {
  const contact = isNew && given.contact !== undefined ? await findContactById(given.contact) : null;
  const change = (row: Sources): Sources => {
    const own = given.version >= row.version ? { own: given.own, version: given.version } : {};
    const results = [...new Set([...row.results, ...given.results])].slice(-MAX_RESULT_WORDS);
    return { ...row, ...(contact ? withContact(row, contact) : {}), ...own, results };
  };
  const { collection } = searchWordsModel;
  if (isNew && (await tryInsert(collection, buildRow(given, change(NOTHING), 1)))) return;
  await write(given, change);
}

/** Repeatable. */
export async function indexContact(contact: ContactDocument): Promise<void> {
  const { conversation, organization } = contact;
  const merged = await findConversationsOf(contact._id);
  for (const id of new Set([...merged, ...(conversation === undefined ? [] : [conversation])]))
    await write({ id, organization }, (row) => ({ ...row, ...withContact(row, contact) }));
}

export async function findByWords(
  reach: Reach,
  terms: readonly SearchTerm[],
  query: Pick<ListQuery, 'limit' | 'offset' | 'withinMs'>,
): Promise<Page<{ _id: string }>> {
  const organization = { $in: await organizationsWithin(reach) };
  const filter = { organization, ...matchTerms(terms) };
  return findPage(searchWordsModel, filter, { ...query, conditions: [], sort: [] });
}

/** The condition on an array `words` that each term has a match. */
export function matchTerms(terms: readonly SearchTerm[]): Filter {
  return { $and: terms.map((readings) => combine('$or', readings.map(matchAll))) };
}

// Words contain only letters and digits: no escaping needed.
function matchAll(prefixes: readonly string[]): Filter {
  return combine(
    '$and',
    prefixes.map((prefix) => ({ words: { $regex: `^${prefix}` } })),
  );
}

function combine(operator: '$and' | '$or', filters: readonly Filter[]): Filter {
  return filters.length > 1 ? { [operator]: filters } : (filters[0] ?? {});
}

function withContact(row: Sources, { profile, updatedAt }: ContactDocument): Partial<Sources> {
  return updatedAt >= row.contactAt ? { contact: contactWords(profile), contactAt: updatedAt } : {};
}

async function write(
  of: Pick<ConversationWords, 'id' | 'organization'>,
  change: (row: Sources) => Sources,
): Promise<void> {
  const { collection } = searchWordsModel;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const row = await searchWordsModel.findById(of.id).lean<SearchWordsDocument>();
    const { _id, ...fields } = buildRow(of, change(row ?? NOTHING), (row?.stamp ?? 0) + 1);
    if (row) {
      const { matchedCount } = await collection.updateOne({ _id, stamp: row.stamp }, { $set: fields });
      if (matchedCount > 0) return;
    } else if (await tryInsert(collection, { _id, ...fields })) return;
  }
  throw new DomainError('unavailable', 'The words of a conversation are being changed by others.');
}

function buildRow(
  { id, organization }: Pick<ConversationWords, 'id' | 'organization'>,
  { own, version, results, contact, contactAt }: Sources,
  stamp: number,
): SearchWordsDocument {
  const words = [...new Set([...own, ...results, ...contact])];
  return { _id: id, own, version, results, contact, contactAt, words, stamp, organization };
}
