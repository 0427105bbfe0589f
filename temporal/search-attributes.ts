import { isGrpcServiceError } from '@temporalio/client';
import type { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../workflows/contract.ts';

const KEYWORD = 2;
const ALREADY_EXISTS = 6;
/**
 * PERMISSION_DENIED, UNIMPLEMENTED: a server whose operators are others, such as Temporal Cloud.
 */
const NOT_OURS = [7, 12];

/** What this needs of a connection. */
export interface Operated {
  operatorService: Pick<Connection['operatorService'], 'listSearchAttributes' | 'addSearchAttributes'>;
}

/**
 * Makes sure that the namespace knows the search attributes of conversations (spec 11.2); does
 * nothing where it does. Rejects, with what is to be done, where some are missing and may be added
 * by its operators only; where one may not even look, they are taken to be there.
 */
export async function registerSearchAttributes(
  { operatorService }: Operated,
  { namespace, log }: { namespace: string; log: { warn: (message: string) => void } },
): Promise<void> {
  const names = Object.values(SEARCH_ATTRIBUTES);
  const known = await operatorService.listSearchAttributes({ namespace }).catch((error: unknown) => {
    if (!NOT_OURS.includes(codeOf(error))) throw error;
    log.warn(
      `cannot see the search attributes of the namespace; it needs these keywords: ${names.join(', ')}`,
    );
    return null;
  });
  const missing = known ? names.filter((name) => !(name in known.customAttributes)) : [];
  if (missing.length === 0) return;
  const searchAttributes = Object.fromEntries(missing.map((name) => [name, KEYWORD]));
  try {
    await operatorService.addSearchAttributes({ namespace, searchAttributes });
  } catch (error) {
    if (NOT_OURS.includes(codeOf(error))) {
      throw new Error(`Add these search attributes of type Keyword to the namespace: ${missing.join(', ')}`, {
        cause: error,
      });
    }
    // Another worker that starts now was faster.
    if (codeOf(error) !== ALREADY_EXISTS) throw error;
  }
}

function codeOf(error: unknown): number {
  return isGrpcServiceError(error) ? error.code : -1;
}
