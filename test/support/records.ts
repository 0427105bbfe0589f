import { expect } from 'vitest';
import type { Product } from './product.ts';

/**
 * Creates helpers that change records as the admin of the product. The product may start later than
 * this call.
 */
export function createRecordHelpers(product: () => Pick<Product, 'admin'>) {
  return {
    make: async (path: string, body: object): Promise<any> => {
      const made = await product().admin.post(path, body);
      expect(made.status, JSON.stringify(made.body)).toBe(201);
      return made.body;
    },
    patch: (path: string, body: object) => product().admin.request('PATCH', path, body),
    remove: (path: string) => product().admin.request('DELETE', path),
  };
}
