/** A piece of an expression, and what it is. */
export interface Piece {
  kind: 'text' | 'string' | 'number' | 'variable' | 'keyword' | 'comment' | 'operator';
  text: string;
}

/** What a reader of JSONata tells apart, in the order in which it is tried. */
const PIECES: readonly [Piece['kind'], RegExp][] = [
  ['comment', /\/\*[\s\S]*?(?:\*\/|$)/y],
  ['string', /"(?:[^"\\]|\\.)*(?:"|$)|'(?:[^'\\]|\\.)*(?:'|$)/y],
  ['variable', /\$[\w$]*/y],
  ['number', /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y],
  ['keyword', /\b(?:and|or|in|true|false|null|function)\b/y],
  ['operator', /:=|!=|<=|>=|~>|\.\.|[-+*/%&=<>?:;,.^@#|~[\]{}()]/y],
  ['text', /[A-Za-z_][\w]*|`[^`]*(?:`|$)|\s+|[\s\S]/y],
];

/** An expression in pieces, which together are the expression again. */
export function splitExpression(expression: string): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < expression.length;) {
    const piece = pieceAt(expression, at);
    pieces.push(piece);
    at += piece.text.length;
  }
  return pieces;
}

function pieceAt(expression: string, at: number): Piece {
  for (const [kind, pattern] of PIECES) {
    pattern.lastIndex = at;
    const [text = ''] = pattern.exec(expression) ?? [];
    if (text !== '') return { kind, text };
  }
  return { kind: 'text', text: expression.charAt(at) };
}
