import { lookupEmail } from '../../domain/email.ts';
import type { Condition, Value } from '../../domain/query/tree.ts';
import type { ResourceName } from '../../domain/resources.ts';
import { organizationContext } from '../../store/records/organizations.ts';
import { expandTelephoneQuery } from './telephone.ts';

/** Fields that are stored normalized (spec 4.4). */
const IDENTIFIERS: Partial<Record<ResourceName, Readonly<Record<string, 'email' | 'telephone'>>>> = {
  contacts: { 'profile.email': 'email', 'profile.telephone': 'telephone' },
  users: { email: 'email' },
  organizations: { email: 'email' },
};

interface IdentifierContext {
  resource: ResourceName;
  /** Organization whose country applies to national numbers, unless the conditions name another. */
  organization: string;
  written?: ReadonlyMap<string, string>;
}

/** Makes equality conditions also match the normalized email or telephone. */
export async function withIdentifiers(
  conditions: Condition[],
  { resource, organization, written = new Map<string, string>() }: IdentifierContext,
): Promise<Condition[]> {
  const kinds = IDENTIFIERS[resource];
  if (
    !kinds ||
    !conditions.some(({ path }) => path.split(',').some((field) => Object.hasOwn(kinds, field)))
  ) {
    return conditions;
  }
  const { country } = (await organizationContext(findNamedOrganization(conditions) ?? organization)) ?? {};
  const expandForms = (field: string, value: Value): Value[] => {
    if (typeof value !== 'string') return [value];
    const forms =
      kinds[field] === 'email' ? [normalizeEmailQuery(value)] : expandTelephoneQuery(value, country);
    return [...new Set([...forms, value])];
  };
  return conditions.map((condition): Condition => {
    const { path } = condition;
    if (condition.is === 'any') {
      const text = written.get(path) ?? '';
      const equal = path
        .split(',')
        .filter((field) => Object.hasOwn(kinds, field))
        .map((field): Condition => ({ path: field, is: 'one of', values: expandForms(field, text) }));
      return { ...condition, conditions: [...condition.conditions, ...equal] };
    }
    const isEqual = condition.is === 'one of' || condition.is === 'none of';
    if (!isEqual || !Object.hasOwn(kinds, path)) return condition;
    return { ...condition, values: condition.values.flatMap((value) => expandForms(path, value)) };
  });
}

// Returns undefined unless the conditions name exactly one organization.
function findNamedOrganization(conditions: readonly Condition[]): string | undefined {
  const named = conditions.find(({ path, is }) => path === 'organization' && is === 'one of');
  if (named?.is !== 'one of' || named.values.length !== 1) return undefined;
  return String(named.values[0]);
}

// In a query, an unencoded plus sign is a blank.
function normalizeEmailQuery(text: string): string {
  return lookupEmail(text.trim().replaceAll(' ', '+'));
}
