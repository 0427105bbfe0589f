import type { EnvironmentReader } from './read.ts';

/** The first admin, made only when no user exists (spec 1.4). */
export interface BootstrapAdmin {
  email: string;
  /** Absent: nobody said one, and then there is no first admin to make. */
  password?: string;
  /** Name of the root organization that is made with the admin. */
  organization: string;
}

export function readBootstrapAdmin(reader: EnvironmentReader): BootstrapAdmin {
  const password = reader.value('BOOTSTRAP_ADMIN_PASSWORD');
  return {
    email: reader.value('BOOTSTRAP_ADMIN_EMAIL'),
    organization: reader.value('BOOTSTRAP_ORGANIZATION'),
    ...(password === undefined ? {} : { password }),
  };
}
