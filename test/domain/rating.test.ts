import { expect, test } from 'vitest';
import { buildRating, findRating, mayRate, toRatingForm } from '../../domain/messages/rating.ts';

const form = (...keys: string[]) => ({
  _id: 'f1',
  name: 'Satisfaction',
  fields: keys.map((key) => ({ key })),
});

test('a form is a form of ratings if it has a field `rating`', () => {
  expect(toRatingForm(form('rating'))).toEqual({ id: 'f1', name: 'Satisfaction', takesComment: false });
  expect(toRatingForm(form('comment', 'rating'))).toMatchObject({ takesComment: true });
  expect(toRatingForm(form('comment'))).toBeNull();
  expect(toRatingForm(form())).toBeNull();
});

test.each([
  ['closed', { type: 'chat' }, true],
  ['closed', { type: 'postback' }, true],
  ['closed', { type: 'results' }, false],
  ['closed', null, false],
  ['active', { type: 'chat' }, false],
  ['queued', { type: 'chat' }, false],
] as const)('a contact may rate a conversation that is %s after %j: %s', (status, newest, may) => {
  expect(mayRate(status, newest)).toBe(may);
});

test('a rating is a result of the form, once for each last message of the contact', () => {
  const rated = { id: 'f1', name: 'Satisfaction', takesComment: true };
  expect(buildRating({ rating: 4, comment: 'Quick!' }, rated, 'm9')).toEqual({
    type: 'results',
    text: '4/5',
    touchpoint: 'web',
    externalId: 'rating:m9',
    results: [{ form: 'f1', formName: 'Satisfaction', values: { rating: 4, comment: 'Quick!' } }],
  });
  const values = (given: object, takesComment: boolean) =>
    buildRating({ rating: 1, ...given }, { ...rated, takesComment }, 'm9').results?.[0]?.values;
  expect(values({ comment: ' ' }, true)).toEqual({ rating: 1 });
  expect(values({ comment: 'Quick!' }, false)).toEqual({ rating: 1 });
});

test.each([
  [[{ form: 'f1', values: { rating: 4 } }], 4],
  [[{ form: 'f1', values: { rating: '5' } }], 5],
  [
    [
      { form: 'f1', values: { rating: 1 } },
      { form: 'f1', values: { rating: 2 } },
    ],
    2,
  ],
  [[{ form: 'f2', values: { rating: 4 } }], undefined],
  [[{ form: 'f1', values: { rating: 6 } }], undefined],
  [[{ form: 'f1', values: { rating: 4.5 } }], undefined],
  [[{ form: 'f1', values: { rating: null } }], undefined],
  [[{ form: 'f1' }], undefined],
  [[], undefined],
])('the results %j have the rating %s', (results, rating) => {
  expect(findRating(results, 'f1')).toBe(rating);
});
