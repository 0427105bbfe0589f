import { describe, expect, test } from 'vitest';
import { withStates, parseCommit, getStateAfter } from '../../activities/commit.ts';
import { agent, conversation, draft, postAll } from '../support/conversations.ts';

describe('a commit', () => {
  test('a commit that is stored as JSON and parsed again has the same changes and the same states', () => {
    const base = conversation({ name: 'Before' });
    const { changes, state } = postAll(base, agent, [
      draft(agent, { text: 'First' }),
      draft(agent, { type: 'command', text: '/set name After' }),
    ]);
    const commit = withStates({ base, changes, services: [] });
    expect(parseCommit(JSON.stringify({ base, changes, services: [] }))).toEqual(commit);
    expect(commit.states.map(({ name }) => name)).toEqual(['Before', 'After']);
    expect(getStateAfter(commit)).toEqual(state);
  });

  test('a malformed stored commit is rejected with an error that does not contain the text of the commit', () => {
    for (const text of ['', 'null', '[]', '{"said":"in confidence"', '{"base":{"id":"1"},"changes":[]}']) {
      expect(() => parseCommit(text)).toThrow(/^Invalid stored commit\.$/);
    }
  });
});
