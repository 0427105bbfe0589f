/**
 * Updates that are refused for the document `{ a: 1, s: 'text', l: [1, 2] }`, with their error
 * codes.
 */
export const REFUSED_UPDATES: [what: string, update: object, code: number][] = [
  ['an unknown operator', { $foo: { a: 1 } }, 9],
  ['two operators on one path', { $set: { a: 1 }, $inc: { a: 1 } }, 40],
  ['a path inside another', { $set: { a: 1, 'a.b': 1 } }, 40],
  ['$inc with a string', { $inc: { a: 'x' } }, 14],
  ['$inc on a string', { $inc: { s: 1 } }, 14],
  ['$push on a value that is not an array', { $push: { s: 1 } }, 2],
  ['a path through a value', { $set: { 's.x': 1 } }, 28],
  ['$pull by a path through a list', { $pull: { 'l.x': 1 } }, 28],
  ['another _id', { $set: { _id: 2 } }, 66],
  ['an empty path', { $set: { 'a..b': 1 } }, 56],
  ['a positional $', { $set: { 'l.$': 1 } }, 238],
  ['$[id] without its filter', { $set: { 'l.$[x]': 1 } }, 2],
  ['$rename', { $rename: { a: 'b' } }, 238],
  ['$addToSet', { $addToSet: { l: 3 } }, 238],
  ['$sort of a $push', { $push: { l: { $each: [3], $sort: 1 } } }, 238],
];
