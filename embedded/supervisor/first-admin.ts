import type { StartConfig } from '../../config/start.ts';
import { generatePassword } from './secret.ts';

const REPORT_MS = 2_000;

/** What the API process says over its channel when it has looked for the first admin. */
interface BootstrapReport {
  type: 'bootstrap';
  email: string;
  created: boolean;
}

/** The first admin's password, and whether this start is the one that made him. */
export interface FirstAdmin {
  email: string;
  password: string;
  /** Takes what the API process says. */
  onMessage: (message: unknown) => void;
  /** The password if it is ours and the admin was made with it just now; waits a moment for the API to say so. */
  passwordToShow: () => Promise<string | undefined>;
}

/** Decides the password the API makes the first admin with, should there be no user yet. */
export function firstAdmin({ bootstrapAdmin }: StartConfig): FirstAdmin {
  const given = bootstrapAdmin.password;
  const password = given ?? generatePassword();
  let hear: (created: boolean) => void;
  const created = new Promise<boolean>((resolve) => {
    hear = resolve;
  });
  return {
    email: bootstrapAdmin.email,
    password,
    onMessage(message) {
      if (isBootstrapReport(message)) hear(message.created);
    },
    async passwordToShow() {
      const timer = setTimeout(() => hear(false), REPORT_MS);
      const show = (await created) && given === undefined;
      clearTimeout(timer);
      return show ? password : undefined;
    },
  };
}

function isBootstrapReport(message: unknown): message is BootstrapReport {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === 'bootstrap';
}
