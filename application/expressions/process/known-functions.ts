interface Node {
  type?: unknown;
  value?: unknown;
  position?: unknown;
  lhs?: unknown;
  arguments?: unknown;
  procedure?: Node;
  focus?: unknown;
  index?: unknown;
}

/**
 * Throws for a call of a function that is neither in `known` nor a variable of the expression.
 * Variables count in the whole expression, so a call outside of their block passes.
 */
export function assertKnownFunctions(ast: unknown, known: ReadonlySet<string>): void {
  const calls: Node[] = [];
  const variables = new Set<unknown>();
  for (const node of walk(ast)) {
    const { type, lhs, focus, index, procedure } = node;
    if (type === 'bind') variables.add((lhs as Node).value);
    if (type === 'lambda') for (const { value } of node.arguments as Node[]) variables.add(value);
    for (const name of [focus, index]) variables.add(name);
    if ((type === 'function' || type === 'partial') && procedure?.type === 'variable') calls.push(node);
  }
  const names = calls.map(({ procedure, position }) => ({ token: procedure?.value, position }));
  const unknown = names.find(({ token }) => !known.has(String(token)) && !variables.has(token));
  if (unknown) throw Object.assign(new Error('Unknown function'), { code: 'T1006', ...unknown });
}

function* walk(ast: unknown): Generator<Node> {
  const seen = new Set<object>();
  const left: unknown[] = [ast];
  while (left.length > 0) {
    const node = left.pop();
    if (typeof node !== 'object' || node === null || seen.has(node)) continue;
    seen.add(node);
    yield node;
    left.push(...(Object.values(node) as unknown[]).toReversed());
  }
}
