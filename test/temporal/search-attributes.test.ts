import { describe, expect, test } from 'vitest';
import { registerSearchAttributes } from '../../temporal/search-attributes.ts';
import type { Operated } from '../../temporal/search-attributes.ts';
import { SEARCH_ATTRIBUTES } from '../../workflows/contract.ts';

const ALL = Object.fromEntries(Object.values(SEARCH_ATTRIBUTES).map((name) => [name, 2]));

/** What the client makes of a gRPC status. */
const grpc = (code: number) => Object.assign(new Error('refused'), { code, details: '', metadata: {} });

/** A server that answers to operators as told; a number is the status that it refuses with. */
function server({ known, adding }: { known: Record<string, number> | number; adding?: number }) {
  const added: string[] = [];
  const warned: string[] = [];
  const operatorService = {
    listSearchAttributes: () =>
      typeof known === 'number' ? Promise.reject(grpc(known)) : Promise.resolve({ customAttributes: known }),
    addSearchAttributes: ({ searchAttributes }: { searchAttributes: object }) => {
      added.push(...Object.keys(searchAttributes));
      return adding === undefined ? Promise.resolve({}) : Promise.reject(grpc(adding));
    },
  } as unknown as Operated['operatorService'];
  const log = { warn: (text: string) => warned.push(text) };
  return {
    added,
    warned,
    register: () => registerSearchAttributes({ operatorService }, { namespace: 'n', log }),
  };
}

describe('search attributes', () => {
  test('that are missing are added, and only these', async () => {
    const { Category: _, ...known } = ALL;
    const { added, register } = server({ known });
    await register();
    expect(added).toEqual(['Category']);
    const complete = server({ known: ALL });
    await complete.register();
    expect(complete.added).toEqual([]);
  });

  test('that another worker has added meanwhile are there', async () => {
    await expect(server({ known: {}, adding: 6 }).register()).resolves.toBeUndefined();
  });

  test('that are missing where only others may add them are named', async () => {
    await expect(server({ known: {}, adding: 7 }).register()).rejects.toThrow('ConversationStatus');
  });

  test('that one may not look at are taken to be there, and named in the log', async () => {
    const { warned, register } = server({ known: 7 });
    await register();
    expect(warned.join()).toContain('ConversationStatus');
    await expect(server({ known: 14 }).register()).rejects.toThrow('refused');
  });
});
