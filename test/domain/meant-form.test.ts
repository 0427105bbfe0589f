import { expect, test } from 'vitest';
import { chooseForm } from '../../domain/effects/form.ts';

const ROOT = { _id: '1', organization: 'root' };
const NEAR = { _id: '2', organization: 'near' };
const LATER = { _id: '3', organization: 'near' };
const OTHER = { _id: '4', organization: 'elsewhere' };
const path = ['root', 'near'];

test.each([
  ['the form with the id rather than forms with the name', [ROOT, NEAR, OTHER], [NEAR._id], ROOT._id, ROOT],
  ['the listed form rather than the nearest', [ROOT, NEAR], [ROOT._id], 'name', ROOT],
  ['the first of two listed forms', [ROOT, NEAR, OTHER], [OTHER._id, ROOT._id], 'name', OTHER],
  ['the oldest form of the nearest organization if no form is listed', [ROOT, NEAR, LATER], [], 'name', NEAR],
])('a form message selects %s', (_, forms, listed, idOrName, meant) => {
  expect(chooseForm(forms, { path, listed, idOrName })).toEqual(meant);
});

test('a form message selects nothing if no form has the id or name', () => {
  expect(chooseForm([], { path, listed: [], idOrName: 'name' })).toBeNull();
});
