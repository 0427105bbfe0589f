const KEPT_BYTES = 16 * 1024;

/** Messages that a receiver answers with, to be posted as the user of a token (contract 7). Nothing of it has been checked. */
export interface Reply {
  token: string;
  messages: unknown;
}

/** The reply that an answer is, or null: most answers are none. */
export function replyOf(answer: Buffer | undefined): Reply | null {
  const value = parsed(answer);
  if (typeof value !== 'object' || value === null) return null;
  const { token, messages } = value as Partial<Record<keyof Reply, unknown>>;
  return typeof token === 'string' && messages !== undefined ? { token, messages } : null;
}

/** The first 16 KiB of an answer as it is logged: no token is kept. A character that the limit cuts in two is left out. */
export function answerText(answer: Buffer): string {
  return new TextDecoder().decode(withoutToken(answer).subarray(0, KEPT_BYTES), { stream: true });
}

function withoutToken(answer: Buffer): Buffer {
  const value = parsed(answer);
  if (typeof value !== 'object' || value === null || !('token' in value)) return answer;
  try {
    return Buffer.from(JSON.stringify({ ...value, token: '[token]' }));
  } catch {
    // Nested too deep to be written.
    return Buffer.alloc(0);
  }
}

function parsed(answer: Buffer | undefined): unknown {
  // An answer without one is not worth reading.
  if (!answer?.includes('token')) return null;
  try {
    return JSON.parse(answer.toString()) as unknown;
  } catch {
    return null;
  }
}
