// Rules of oxlint.config.mjs that oxlint does not have.

/** Refuses imports whose path matches a pattern. With `allowTypeImports`, types may be imported. */
const imports = {
  meta: { schema: false },
  create(context) {
    const patterns = context.options[0].patterns.map((pattern) => ({
      ...pattern,
      expression: new RegExp(pattern.regex, 'u'),
    }));
    const check = (node, isType) => {
      const path = node.source?.value;
      if (typeof path !== 'string') return;
      for (const { expression, message, allowTypeImports } of patterns)
        if (expression.test(path) && !(isType && allowTypeImports))
          context.report({ node, message: `'${path}': ${message}` });
    };
    return {
      ImportDeclaration: (node) => check(node, importsTypes(node)),
      ExportNamedDeclaration: (node) => check(node, importsTypes(node)),
      ExportAllDeclaration: (node) => check(node, node.exportKind === 'type'),
      ImportExpression: (node) => check(node, false),
    };
  },
};

function importsTypes({ importKind, exportKind, specifiers }) {
  if (importKind === 'type' || exportKind === 'type') return true;
  return (
    specifiers.length > 0 && specifiers.every((one) => one.importKind === 'type' || one.exportKind === 'type')
  );
}

/** Refuses code that a selector matches. */
const syntax = {
  meta: { schema: false },
  create(context) {
    return Object.fromEntries(
      context.options.map(({ selector, message }) => [selector, (node) => context.report({ node, message })]),
    );
  },
};

/** Limits the width of lines of comments. Lines with an address may be longer. */
const commentWidth = {
  meta: { schema: false },
  create(context) {
    const [max] = context.options;
    const { lines } = context.sourceCode;
    return {
      Program() {
        for (const { loc } of context.sourceCode.getAllComments())
          for (let line = loc.start.line; line <= loc.end.line; line += 1) {
            const text = lines[line - 1];
            if (text.length > max && !/https?:\/\//.test(text))
              context.report({
                loc: { start: { line, column: 0 }, end: { line, column: text.length } },
                message: `A comment has at most ${max} columns.`,
              });
          }
      },
    };
  },
};

export default {
  meta: { name: 'parlance' },
  rules: { imports, contract: imports, syntax, 'comment-width': commentWidth },
};
