import { describe, expect, test } from 'vitest';
import {
  registerSearchAttributes,
  SEARCH_ATTRIBUTE_TYPES,
} from '../../../workflows/client/search-attributes.ts';
import type { OperatorConnection } from '../../../workflows/client/search-attributes.ts';
import { SEARCH_ATTRIBUTES } from '../../../workflows/contract.ts';
import type { SearchAttribute } from '../../../workflows/contract.ts';

const NUMBERS = { Keyword: 2, Int: 3, Bool: 5, Datetime: 6, KeywordList: 7 };
const NAMES = Object.keys(SEARCH_ATTRIBUTES) as SearchAttribute[];
const ALL = Object.fromEntries(
  NAMES.map((name) => [SEARCH_ATTRIBUTES[name], NUMBERS[SEARCH_ATTRIBUTE_TYPES[name]]]),
);

/** Returns a gRPC error with a status code, as the Temporal client throws it. */
const grpc = (code: number) => Object.assign(new Error('refused'), { code, details: '', metadata: {} });

/**
 * Simulates a Temporal server. If `known` is a number, listing search attributes fails with this
 * gRPC status. If `adding` is given, adding search attributes fails with this gRPC status.
 */
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
  } as unknown as OperatorConnection['operatorService'];
  const log = { warn: (text: string) => warned.push(text) };
  return {
    added,
    warned,
    register: () => registerSearchAttributes({ operatorService }, { namespace: 'n', log }),
  };
}

describe('search attributes', () => {
  test('only missing search attributes are added', async () => {
    const { Category: _, ...known } = ALL;
    const { added, register } = server({ known });
    await register();
    expect(added).toEqual(['Category']);
    const complete = server({ known: ALL });
    await complete.register();
    expect(complete.added).toEqual([]);
  });

  test('the search attributes fit into a namespace on an SQL database: at most ten of type Keyword and three of each other type', () => {
    const types = Object.values(SEARCH_ATTRIBUTE_TYPES);
    const count = (type: string) => types.filter((one) => one === type).length;
    expect(count('Keyword')).toBeLessThanOrEqual(10);
    for (const type of ['Int', 'Bool', 'KeywordList']) expect(count(type), type).toBeLessThanOrEqual(3);
  });

  test('search attributes that another worker adds at the same time are treated as present', async () => {
    await expect(server({ known: {}, adding: 6 }).register()).resolves.toEqual(NAMES);
  });

  test.each([3, 7, 12])(
    'missing search attributes that cannot be added (status %i) are omitted, with one warning',
    async (adding) => {
      const { Blocked: _, OrganizationPath: __, ...known } = ALL;
      const { warned, register } = server({ known, adding });
      const left = NAMES.filter((name) => name !== 'blocked' && name !== 'organizationPath');
      expect(await register()).toEqual(left);
      expect(warned).toHaveLength(1);
      expect(warned[0]).toMatch(
        /: temporal operator search-attribute create --namespace n --name OrganizationPath --type KeywordList --name Blocked --type Bool$/,
      );
    },
  );

  test('search attributes that exist with an unsuitable type are omitted, with a warning', async () => {
    const { warned, register } = server({ known: { ...ALL, Blocked: 2, Category: 1 } });
    expect(await register()).toEqual(NAMES.filter((name) => name !== 'blocked'));
    expect(warned.join()).toContain('--name Blocked --type Bool');
  });

  test('all search attributes are assumed to exist, with a warning, if the server does not permit listing them', async () => {
    const { warned, register } = server({ known: 7 });
    expect(await register()).toEqual(NAMES);
    expect(warned.join()).toContain('ConversationStatus');
    await expect(server({ known: 14 }).register()).rejects.toThrow('refused');
  });
});
