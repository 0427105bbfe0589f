import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StartConfig } from '../../../platform/config/start.ts';
import { generatePassword, readOrCreate } from './secret.ts';

const REPORT_MS = 2_000;

/** What the API process says over its channel when it has looked for the first admin. */
interface BootstrapReport {
  type: 'bootstrap';
  email: string;
  created: boolean;
}

/** The first admin's password, and whether this start is the one that made them. */
export interface FirstAdmin {
  email: string;
  password: string;
  /** Takes what the API process says. */
  onMessage: (message: unknown) => void;
  /**
   * The password if it is ours and the admin was made with it just now; waits a moment for the API
   * to say so.
   */
  passwordToShow: () => Promise<string | undefined>;
}

/**
 * Decides the password the API makes the first admin with, should there be no user yet. One of ours
 * is in `DATA_DIR/admin-password` before the admin is made (docs/decisions/first-password.md), so
 * that a start that is cut short never leaves an admin nobody can be.
 */
export async function firstAdmin({ bootstrapAdmin, dataDir }: StartConfig): Promise<FirstAdmin> {
  const path = join(dataDir, 'admin-password');
  const given = bootstrapAdmin.password;
  const { text: password, isNew } =
    given === undefined ? await readOrCreate(path, generatePassword) : { text: given, isNew: false };
  let hear: (created: boolean | 'unknown') => void;
  const created = new Promise<boolean | 'unknown'>((resolve) => {
    hear = resolve;
  });
  return {
    email: bootstrapAdmin.email,
    password,
    onMessage(message) {
      if (isBootstrapReport(message)) hear(message.created);
    },
    async passwordToShow() {
      const timer = setTimeout(() => hear('unknown'), REPORT_MS);
      const wasCreated = await created;
      clearTimeout(timer);
      // There is an admin with another password: a file that says otherwise would only mislead.
      if (wasCreated === false && isNew) await rm(path, { force: true });
      return wasCreated === true && given === undefined ? password : undefined;
    },
  };
}

function isBootstrapReport(message: unknown): message is BootstrapReport {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === 'bootstrap';
}
