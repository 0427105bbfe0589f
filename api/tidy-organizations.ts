import type { Logger } from 'pino';
import { findOrphans, finishRemovals } from '../store/records/orphans.ts';

/** The most ids in a log line. */
const MAX_LOGGED = 100;

/**
 * Finishes removals of organizations that were interrupted, and logs a warning with the ids of
 * users and organizations that lack the organization above them (spec 4.5). Never rejects.
 */
export async function tidyOrganizations(log: Pick<Logger, 'warn'>): Promise<void> {
  try {
    await finishRemovals();
    const { users, organizations } = await findOrphans();
    if (users.length + organizations.length === 0) return;
    log.warn(
      {
        users: users.slice(0, MAX_LOGGED),
        organizations: organizations.slice(0, MAX_LOGGED),
        found: { users: users.length, organizations: organizations.length },
      },
      'users or organizations lack the organization above them: nobody sees them, and such users cannot log in',
    );
  } catch (error) {
    log.warn({ err: error }, 'failed to look for records without an organization');
  }
}
