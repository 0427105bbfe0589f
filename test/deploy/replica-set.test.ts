import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';

const SCRIPT = readFileSync('deploy/replica-set.js', 'utf8');
const URI = 'mongodb://operator:0af3@mongodb-1:27017,mongodb-2:27017,mongodb-3:27017/?replicaSet=rs0';

interface SetState {
  initiated: boolean;
  /** Passwords by user. */
  users: Record<string, string>;
  roles: string[];
  primary?: string;
}

/** Runs deploy/replica-set.js against an imitation of mongosh. Returns the commands that write. */
function runScript(state: SetState, password = 'secret'): string[] {
  const done: string[] = [];
  const note = (...words: string[]) => done.push(words.join(' '));
  const code = (codeName: string) => Object.assign(new Error(codeName), { codeName });
  const createUser = ({ user, pwd }: { user: string; pwd: string }) => {
    state.users[user] = pwd;
    note('createUser', user);
  };
  const hello = () => ({
    primary: state.primary,
    me: 'mongodb-1:27017',
    isWritablePrimary: state.primary === 'mongodb-1:27017',
  });
  const admin = {
    getRole: (name: string) => (state.roles.includes(name) ? {} : null),
    createRole: ({ role }: { role: string }) => state.roles.push(role),
    grantRolesToUser: (user: string, [role]: string[]) => note('grant', user, role ?? ''),
    getUser: (name: string) => (name in state.users ? {} : null),
    updateUser: (user: string, { pwd }: { pwd: string }) => {
      state.users[user] = pwd;
      note('updateUser', user);
    },
    createUser,
  };
  runInNewContext(SCRIPT, {
    process: { env: { MONGODB_PASSWORD: password } },
    require: () => ({ readFileSync: () => `uri: ${URI}\n` }),
    rs: {
      status: () => {
        if (!state.initiated) throw code('NotYetInitialized');
        if ('operator' in state.users) throw code('Unauthorized');
      },
      initiate: ({ members }: { members: { host: string }[] }) => {
        note('initiate', members.map(({ host }) => host).join());
        state.initiated = true;
      },
    },
    // The election takes one pause.
    sleep: () => (state.primary ??= 'mongodb-1:27017'),
    db: { hello, getSiblingDB: () => ({ createUser }) },
    connect: (uri: string) => {
      if (uri !== URI || state.users['operator'] !== '0af3') throw code('AuthenticationFailed');
      return { getSiblingDB: () => admin };
    },
  });
  return done;
}

describe('deploy/replica-set.js', () => {
  test('the job of the replica set initiates the set, and creates the operator before the user of the product', () => {
    const state: SetState = { initiated: false, users: {}, roles: [] };
    expect(runScript(state)).toEqual([
      'initiate mongodb-1:27017,mongodb-2:27017,mongodb-3:27017',
      'createUser operator',
      'grant operator anything',
      'createUser parlance',
    ]);
    expect(state.users).toEqual({ operator: '0af3', parlance: 'secret' });
  });

  test('the job of the replica set changes only the password of the product when it runs again, with any member as the primary', () => {
    const state: SetState = { initiated: false, users: {}, roles: [] };
    runScript(state);
    state.primary = 'mongodb-3:27017';
    expect(runScript(state, 'newer')).toEqual(['updateUser parlance']);
    expect(state.users['parlance']).toBe('newer');
  });

  test('the job of the replica set completes a run that died after the set was initiated', () => {
    const state: SetState = { initiated: true, users: {}, roles: [], primary: 'mongodb-1:27017' };
    expect(runScript(state)).toEqual([
      'createUser operator',
      'grant operator anything',
      'createUser parlance',
    ]);
  });

  test('the job of the replica set fails with a reason when a set without users has its primary elsewhere', () => {
    const state: SetState = { initiated: true, users: {}, roles: [], primary: 'mongodb-2:27017' };
    expect(() => runScript(state)).toThrow('its primary is mongodb-2:27017 instead of mongodb-1:27017');
  });
});

test('deploy/mongodb-keys.sh creates secrets that only their owner can read, and keeps them when it runs again', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parlance-keys-'));
  try {
    // Only root may give files to mongod.
    writeFileSync(join(folder, 'chown'), '#!/bin/sh\n', { mode: 0o755 });
    const script = readFileSync('deploy/mongodb-keys.sh', 'utf8').replaceAll('/keys', folder);
    const run = () => {
      execFileSync('sh', ['-c', script], { env: { PATH: `${folder}:${process.env['PATH']}` } });
      return ['members', 'operator.yaml'].map((name) => readFileSync(join(folder, name), 'utf8'));
    };
    const [members = '', operator = ''] = run();
    // MongoDB accepts 6 to 1024 characters of base64.
    expect(members).toMatch(/^[A-Za-z0-9+/]{1008}$/);
    expect(operator).toMatch(/^uri: mongodb:\/\/operator:[0-9a-f]{48}@mongodb-1:27017,/);
    for (const name of ['members', 'operator.yaml'])
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(run()).toEqual([members, operator]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
