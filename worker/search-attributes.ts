import { isGrpcServiceError } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import { SEARCH_ATTRIBUTES } from '../workflows/contract.ts';

const KEYWORD = 2;
const ALREADY_EXISTS = 6;

/** Makes sure that the namespace knows the search attributes of conversations (contract 11); does nothing where it does. */
export async function registerSearchAttributes(
  connection: NativeConnection,
  namespace: string,
): Promise<void> {
  const known = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = Object.values(SEARCH_ATTRIBUTES).filter((name) => !(name in known.customAttributes));
  if (missing.length === 0) return;
  const searchAttributes = Object.fromEntries(missing.map((name) => [name, KEYWORD]));
  try {
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
  } catch (error) {
    // Another worker that starts now was faster.
    if (!isGrpcServiceError(error) || (error.code as number) !== ALREADY_EXISTS) throw error;
  }
}
