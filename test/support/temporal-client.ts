import { Client, Connection } from '@temporalio/client';
import type { Product } from './product.ts';

export async function createTemporalClient({ environment }: Pick<Product, 'environment'>): Promise<Client> {
  const address = environment['TEMPORAL_ADDRESS'] ?? '';
  const namespace = environment['TEMPORAL_NAMESPACE'] ?? 'default';
  return new Client({ connection: await Connection.connect({ address }), namespace });
}
