import type { TSchema } from 'typebox';

/** JSON Schema, as far as bodies and answers are described in it. */
interface ExampleSchema {
  examples?: readonly unknown[];
  const?: unknown;
  enum?: readonly unknown[];
  type?: string;
  minimum?: number;
  properties?: Record<string, ExampleSchema>;
  patternProperties?: Record<string, ExampleSchema>;
  items?: ExampleSchema;
  anyOf?: ExampleSchema[];
}

/**
 * A value that fits the schema: its own example, or one made of those of its parts. Optional fields
 * are there as well.
 */
export function buildExample(schema: TSchema): unknown {
  return example(schema);
}

/** The same with one field: what a PATCH looks like. */
export function buildPartialExample(schema: TSchema): unknown {
  const [first] = Object.entries((schema as ExampleSchema).properties ?? {});
  return first ? { [first[0]]: example(first[1]) } : {};
}

function example(shape: ExampleSchema): unknown {
  if (shape.examples) return shape.examples[0];
  const [choice] = shape.anyOf ?? [];
  if (choice) return example(choice);
  if (shape.const !== undefined) return shape.const;
  if (shape.enum) return shape.enum[0];
  switch (shape.type) {
    case 'array':
      return shape.items ? [example(shape.items)] : [];
    case 'object':
      return objectExample(shape);
    case 'integer':
    case 'number':
      return shape.minimum ?? 0;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return 'anything';
  }
}

function objectExample({ properties, patternProperties = {} }: ExampleSchema): Record<string, unknown> {
  if (properties) {
    return Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, example(inner)]));
  }
  // What is told apart by a key is told apart by touchpoint.
  const [values] = Object.values(patternProperties);
  return values ? { web: example(values) } : {};
}
