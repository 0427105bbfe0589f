import { Client, Connection } from '@temporalio/client';
import type { Product } from './product.ts';

/** Creates a client for a product's Temporal server and namespace. */
export async function createTemporalClient({ environment }: Pick<Product, 'environment'>): Promise<Client> {
  const address = environment['TEMPORAL_ADDRESS'] ?? '';
  const namespace = environment['TEMPORAL_NAMESPACE'] ?? 'default';
  return new Client({ connection: await Connection.connect({ address }), namespace });
}
