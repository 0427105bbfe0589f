/**
 * A reference model of a conversation (spec 5, 6), as simple as possible: it stores everything,
 * optimises nothing and uses no code of the product. Tests compare the product with this model.
 */
export interface Model {
  nowMs: number;
  sequence: number;
  status: string;
  participants: { user: string; unread: number; accepted: boolean; inbox: boolean }[];
  bots: Set<string>;
  pending: { id: string; dueMs: number; said: ModelMessage }[];
  /**
   * The contact, if the conversation has one. Upserts set the contact and the next three fields.
   */
  contact?: string;
  name?: string;
  meta: Record<string, number>;
  profile: Record<string, string>;
  /** All accepted messages, which the rules for bots (spec 6.10) are checked against. */
  log: { ms: number; bot?: string; text: string; reply: boolean }[];
}

/** Fields of an upsert besides its message. */
export interface Upsert {
  contact: string;
  name?: string;
  meta?: Record<string, number | null>;
  profile: Record<string, string>;
}

/** The fields of a message that the model needs. */
export interface ModelMessage {
  by: { user: string; kind: 'bot' | 'agent' | 'contact'; counts: boolean };
  role?: string;
  backchannel: boolean;
  spoken: boolean;
  text: string;
  targets: string[];
}

export type BrokenRule = 'identical' | 'consecutive';

const MINUTE = 60_000;

export function emptyModel(nowMs: number): Model {
  return {
    nowMs,
    sequence: 0,
    status: 'queued',
    participants: [],
    bots: new Set(),
    pending: [],
    meta: {},
    profile: {},
    log: [],
  };
}

/** Returns the rule of spec 6.10 that the message would break, if any. */
export function findBrokenRule(
  { log, nowMs }: Model,
  { by, role, text }: ModelMessage,
): BrokenRule | undefined {
  if (by.kind !== 'bot' || role === 'contact' || !by.counts) return undefined;
  const same = log.filter(
    ({ ms, bot, text: other }) => bot === by.user && other === text && ms > nowMs - 3 * MINUTE,
  );
  if (same.length >= 8) return 'identical';
  const sinceReply = log.slice(log.findLastIndex(({ reply }) => reply) + 1);
  const run = sinceReply.filter(({ ms, bot }) => bot === by.user && ms > nowMs - 60 * MINUTE);
  return run.length >= 20 ? 'consecutive' : undefined;
}

/** Logs an accepted message for the rules of bots, whether it is delayed or not. */
export function logAccepted(model: Model, { by, role, text }: ModelMessage): void {
  const reply = by.kind !== 'bot' || role === 'contact';
  model.log.push({ ms: model.nowMs, text, reply, ...(!reply && by.counts ? { bot: by.user } : {}) });
}

/** Processes a message: updates the sequence, status, participants and unread counts. */
export function processMessage(model: Model, said: ModelMessage): void {
  model.sequence += 1;
  const { user, kind } = said.by;
  const before = model.participants.find((one) => one.user === user);
  if (kind === 'bot') model.bots.add(user);
  if (kind !== 'contact' && !before) join(model, user);
  if (said.role === 'contact' && model.status === 'closed') model.status = 'queued';
  if (said.role === 'agent' && !said.backchannel && !before) accept(model, user);
  const [command = '', , value = ''] = said.text.startsWith('/') ? said.text.split(' ') : [];
  if (command === '/accept') accept(model, user);
  if (command === '/notify' && model.status === 'closed') model.status = 'queued';
  if (command === '/set') model.status = value;
  if (command === '/assign') assign(model, said.targets);
  if (command === '/leave') leave(model, user);
  if (!said.spoken) return;
  for (const one of model.participants) one.unread += 1;
  markRead(model, user);
}

/** Ends the reader's turn if another user has accepted the conversation. */
export function markRead(model: Model, user: string): void {
  const isTaken = model.participants.some((one) => one.accepted && one.user !== user);
  for (const one of model.participants.filter((reader) => reader.user === user)) {
    one.unread = 0;
    if (isTaken && !one.accepted) one.inbox = false;
  }
}

/**
 * Applies an upsert without its message, and returns the names of the published events. Returns
 * `refused` if the conversation has another contact.
 */
export function performUpsert(
  model: Model,
  { contact, name, meta = {}, profile }: Upsert,
): string[] | 'refused' {
  if (model.contact !== undefined && model.contact !== contact) return 'refused';
  const before = structuredClone(model);
  model.contact = contact;
  if (model.status === 'closed') model.status = 'queued';
  if (name !== undefined) model.name = name;
  for (const [key, value] of Object.entries(meta)) {
    if (value === null) Reflect.deleteProperty(model.meta, key);
    else model.meta[key] = value;
  }
  const known = { ...model.profile };
  Object.assign(model.profile, profile);
  const differs = (a: unknown, b: unknown) => JSON.stringify(a) !== JSON.stringify(b);
  const seen = ({ contact, status, name, meta }: Model) => [
    contact,
    status,
    name,
    Object.entries(meta).sort(),
  ];
  return [
    ...(differs(seen(before), seen(model)) ? ['conversation.update'] : []),
    ...(differs(Object.entries(known).sort(), Object.entries(model.profile).sort())
      ? ['contact.update']
      : []),
  ];
}

/** Assigns a contact. Returns `refused` if the conversation has another contact. */
export function assignContact(model: Model, contact: string): 'refused' | 'given' {
  if (model.contact !== undefined && model.contact !== contact) return 'refused';
  model.contact = contact;
  return 'given';
}

function join(model: Model, user: string): Model['participants'][number] {
  const known = model.participants.find((one) => one.user === user);
  if (known) return known;
  const fresh = { user, unread: 0, accepted: false, inbox: false };
  model.participants.push(fresh);
  return fresh;
}

function accept(model: Model, user: string): void {
  Object.assign(join(model, user), { accepted: true, inbox: false });
  model.status = 'active';
}

/** The targets are people, so all others but bots release a conversation that is not closed. */
function assign(model: Model, targets: readonly string[]): void {
  const others = model.participants.filter(({ user }) => !targets.includes(user) && !model.bots.has(user));
  if (model.status !== 'closed') {
    for (const one of others) Object.assign(one, { accepted: false, inbox: false });
    if (!model.participants.some(({ accepted }) => accepted)) model.status = 'queued';
  }
  for (const target of targets) join(model, target).inbox = true;
}

function leave(model: Model, user: string): void {
  Object.assign(join(model, user), { accepted: false, inbox: false });
  if (!model.participants.some(({ accepted }) => accepted)) model.status = 'closed';
}
