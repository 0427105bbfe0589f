// Writes a request of a guide in one language (see request-snippets.mjs).

const VARIABLE = /\{\{([^}]+)\}\}/;
const TIME = /^in (\d+) days?$/;
const MAX_WIDTH = 84;

/** Parts of a text: plain texts at even places, names of variables at odd ones. */
const split = (text) => text.split(new RegExp(VARIABLE, 'g'));

/** An expression that is written already. */
class Code extends String {}

/** Writes a value as an expression of a language, on one line if it fits. */
function write(value, style, { indent = '', used = 0 } = {}) {
  if (value instanceof Code) return String(value);
  if (typeof value === 'string') return writeText(value, style);
  if (value === null) return style.none;
  if (typeof value === 'boolean') return value ? style.yes : style.no;
  if (typeof value === 'number') return String(value);
  const isList = Array.isArray(value);
  const [open, close] = isList ? ['[', ']'] : style.braces;
  const inner = `${indent}${style.tab}`;
  const entries = Object.entries(value).map(([key, one]) => ({ prefix: isList ? '' : style.key(key), one }));
  if (entries.length === 0) return open.trim() + close.trim();
  const short = entries.map(({ prefix, one }) => entry(prefix, write(one, style)));
  const line = `${open}${short.join(', ')}${close}`;
  if (!line.includes('\n') && indent.length + used + line.length <= MAX_WIDTH) return line;
  const long = entries.map(({ prefix, one }) => {
    const room = { indent: inner, used: prefix.length + 1 };
    return `${inner}${entry(prefix, write(one, style, room))},`;
  });
  return `${open.trim()}\n${long.join('\n')}\n${indent}${close.trim()}`;
}

function readSent({ body, file, headers }, style) {
  if (file !== undefined) return new Code(style.file(file, headers['content-type']));
  return typeof body === 'string' ? new Code(style.block(body)) : body;
}

/** A property with the name of its variable is written once in TypeScript. */
function entry(prefix, text) {
  return prefix === `${text}: ` && /^\w+$/.test(text) ? text : prefix + text;
}

function writeText(text, style) {
  const parts = split(text);
  if (parts.length === 3 && parts[0] === '' && parts[2] === '') return style.variable(parts[1]);
  return parts.length === 1 ? style.text(text) : style.template(parts);
}

/** Returns the parts of a text with the variables replaced. */
const joinParts = (parts, plain, variable) =>
  parts.map((part, at) => (at % 2 === 0 ? plain(part) : variable(part))).join('');

// ---- TypeScript ---------------------------------------------------------------------------

const escapeQuotes = (text, quote) =>
  JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll(quote, `\\${quote}`);
function readVariable(name, readEnvironment) {
  const [, days] = TIME.exec(name) ?? [];
  if (days !== undefined) return `later(${days})`;
  return name.startsWith('$') ? readEnvironment(name.slice(1)) : name;
}

const readNode = (name) => readVariable(name, (own) => `process.env.${own}`);
const toSnakeCase = (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const readOs = (name) =>
  readVariable(name.startsWith('$') ? name : toSnakeCase(name), (own) => `os.environ["${own}"]`);

const TYPESCRIPT = {
  ...{ none: 'null', yes: 'true', no: 'false', tab: '  ', braces: ['{ ', ' }'] },
  key: (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? `${name}: ` : `'${name}': `),
  text: (text) =>
    text.includes("'") && !text.includes('"') ? JSON.stringify(text) : `'${escapeQuotes(text, "'")}'`,
  variable: readNode,
  file: (name, type) => `new Blob([await readFile('${name}')], { type: '${type}' })`,
  block: (text) => `\`${text.replaceAll('\\', '\\\\').replaceAll(/`|\$\{/g, '\\$&')}\``,
  template: (parts) =>
    `\`${joinParts(
      parts,
      (text) => escapeQuotes(text, '`').replaceAll('${', '\\${'),
      (name) => `\${${readNode(name)}}`,
    )}\``,
};

/** The parameters of a path, by the names of the API's description. */
function findParameters(path) {
  const given = {};
  const template = path.replaceAll(
    /(^|\/)([\w-]+)\/(\{\{\w+\}\}|[\w-]+\.[\w.]+)(?=\/|$)/g,
    (_, slash, word, value) => {
      const name = { apikeys: 'key', events: 'name', 'by-name': 'name' }[word] ?? 'id';
      given[name] = value;
      return `${slash}${word}/{${name}}`;
    },
  );
  return { template, given };
}

export function writeTypeScript(request, page) {
  const { keeps, prints, isRefused, lines, length } = request;
  if (lines !== undefined) return writeBatch(request);
  if (length !== undefined) {
    const name = nameResponse(request, page);
    const start = `${name} = await `;
    const call = `${start}${callClient(request, start.length + 2)};`.replaceAll('\n', '\n  ');
    const shown = prints.map((print) => readJs(name, print)).join(', ');
    return `let ${name} = [];
while (${name}.length < ${length}) {
  await sleep(200);
  ${call}
}
console.log(${shown});`;
  }
  if (isRefused) {
    const call = callClient(request, 'await '.length);
    const shown = prints.map((print) => `error.${print}`).join(', ');
    const report = `.catch((error) => console.log(${shown}));`;
    const isLong = !call.includes('\n') && call.length + report.length > MAX_WIDTH;
    return `await ${call}${isLong ? '\n  ' : ''}${report}`;
  }
  if (keeps.length + prints.length === 0) return `await ${callClient(request, 'await '.length)};`;
  if (prints.length === 0 && keeps.every(([field]) => /^\w+$/.test(field))) {
    const fields = keeps.map(([field, name]) => (field === name ? name : `${field}: ${name}`));
    const start = `const { ${fields.join(', ')} } = await `;
    return `${start}${callClient(request, start.length)};`;
  }
  const line = `console.log(${readJs(`(await ${callClient(request, 0)})`, prints[0] ?? '')});`;
  const isShort = line.length <= MAX_WIDTH && !line.includes('\n');
  if (keeps.length === 0 && prints.length === 1 && isShort) return line;
  const name = nameResponse(request, page);
  const start = `const ${name} = await `;
  const kept = keeps.map(([field, as]) => `const ${as} = ${readJs(name, field)};`);
  const shown = prints.map((print) => readJs(name, print)).join(', ');
  const print = prints.length > 0 ? [`console.log(${shown});`] : [];
  return [`${start}${callClient(request, start.length)};`, ...kept, ...print].join('\n');
}

/** A batch is no call of the client. */
function writeBatch({ lines, prints, headers: { 'idempotency-key': idempotencyKey } }) {
  const options = idempotencyKey === undefined ? '' : `, ${write({ idempotencyKey }, TYPESCRIPT)}`;
  const values = lines.map((line) => JSON.parse(line));
  return `const lines = ${write(values, TYPESCRIPT, { used: 'const lines = ;'.length })};
const results = [];
for await (const result of parlance.batch(lines${options})) results.push(result);
console.log(${prints.map((print) => readJs('results', print)).join(', ')});`;
}

function callClient(request, column) {
  const { method, path, query, headers, file } = request;
  const { template, given } = findParameters(path);
  const { 'idempotency-key': idempotencyKey, ...others } = headers;
  const body = readSent(request, TYPESCRIPT);
  // The client reads the type of a blob.
  if (file !== undefined) delete others['content-type'];
  const options = withoutEmpty({ path: given, query, headers: others, body, idempotencyKey });
  const start = `'${method} ${template}'`;
  const room = { used: column + start.length + 'parlance.call(, );'.length };
  const args = Object.keys(options).length > 0 ? [start, write(options, TYPESCRIPT, room)] : [start];
  return `parlance.call(${args.join(', ')})`;
}

function withoutEmpty(options) {
  const isGiven = (value) =>
    value !== undefined &&
    (typeof value !== 'object' || Array.isArray(value) || Object.keys(value).length > 0);
  return Object.fromEntries(Object.entries(options).filter(([, value]) => isGiven(value)));
}

/** Returns the expression of a field, of `base` or of what stands before it. */
function readJs(base, path) {
  const [before, after] = path.split('[*]');
  const list = before === '' ? base : `${base}${before.startsWith('[') ? '' : '.'}${before}`;
  return after === undefined ? list : `${list}.map((one) => one${after}).join(' ')`;
}

/** Returns a name for the response that the page has not used, such as `message` or `message2`. */
function nameResponse({ method, path, body }, page) {
  const words = path.split('/').filter((word) => /^[a-z]+$/.test(word));
  const isOne = /(\}\}|\/me)$/.test(path) || (method === 'POST' && !Array.isArray(body));
  const word = words.at(-1) === 'me' ? 'user' : (words.at(-1) ?? 'response');
  const noun = isOne ? word.replace(/ies$/, 'y').replace(/s$/, '') : word;
  const base = page.kept.includes(noun) ? 'response' : noun;
  const count = (page.taken.get(base) ?? 0) + 1;
  page.taken.set(base, count);
  return count === 1 ? base : `${base}${count}`;
}

// ---- Python -------------------------------------------------------------------------------

const PYTHON = {
  ...{ none: 'None', yes: 'True', no: 'False', tab: '    ', braces: ['{', '}'] },
  key: (name) => `"${name}": `,
  text: (text) => JSON.stringify(text),
  variable: readOs,
  block: (text) => `'''${text.replaceAll('\\', '\\\\')}'''.encode()`,
  file: (name) => `open("${name}", "rb").read()`,
  template: (parts) =>
    `f"${joinParts(
      parts,
      (text) => JSON.stringify(text).slice(1, -1).replaceAll(/[{}]/g, '$&$&'),
      (name) => `{${readOs(name)}}`,
    )}"`,
};

export function writePython(request) {
  const { method, path, query, headers, keeps, prints, isRefused, lines, length } = request;
  const body =
    lines === undefined ? readSent(request, PYTHON) : new Code('"\\n".join(map(json.dumps, lines)).encode()');
  const given = Object.entries({ query, headers }).flatMap(([name, value]) =>
    Object.keys(value).length > 0 ? [`${name}=${write(value, PYTHON, { used: 8 })}`] : [],
  );
  const start = `"${method}", ${writeText(path, PYTHON)}`;
  const sent = body === undefined ? [] : [write(body, PYTHON, { used: start.length + 20 })];
  const args = [start, ...sent, ...given];
  const line = `call(${args.join(', ')})`;
  const isLong = line.length > MAX_WIDTH && !line.includes('\n');
  const call = isLong ? `call(\n    ${args.join(',\n    ')},\n)` : line;
  if (isRefused) {
    const shown = prints.map((print) =>
      print === 'status' ? 'error.status' : readPython('error.body', print),
    );
    return `try:\n    ${call.replaceAll('\n', '\n    ')}\nexcept Refused as error:\n    print(${shown.join(', ')})`;
  }
  if (length !== undefined) {
    const shown = prints.map((print) => readPython('response', print)).join(', ');
    return `while len(response := ${call}) < ${length}:\n    time.sleep(0.2)\nprint(${shown})`;
  }
  if (lines !== undefined) {
    const values = write(
      lines.map((line) => JSON.parse(line)),
      PYTHON,
      { used: 'lines = '.length },
    );
    const shown = prints.map((print) => readPython('results', print)).join(', ');
    return `lines = ${values}\nresults = ${call}\nprint(${shown})`;
  }
  if (keeps.length + prints.length === 0) return call;
  if (keeps.length + prints.length === 1 && !prints[0]?.includes('[*]')) {
    const [[field, name] = []] = keeps;
    return field === undefined
      ? `print(${readPython(call, prints[0])})`
      : `${toSnakeCase(name)} = ${readPython(call, field)}`;
  }
  const kept = keeps.map(([field, name]) => `${toSnakeCase(name)} = ${readPython('response', field)}`);
  const shown =
    prints.length > 0 ? [`print(${prints.map((print) => readPython('response', print)).join(', ')})`] : [];
  return [`response = ${call}`, ...kept, ...shown].join('\n');
}

function readPython(base, path) {
  const [before, after] = path.split('[*]');
  const read = (from, part) =>
    part
      .split(/[.[\]]+/)
      .filter(Boolean)
      .reduce((text, key) => {
        if (key === 'length') return `len(${text})`;
        return /^\d+$/.test(key) ? `${text}[${key}]` : `${text}["${key}"]`;
      }, from);
  const list = read(base, before);
  return after === undefined ? list : `" ".join(${read('one', after)} for one in ${list})`;
}

// ---- curl ---------------------------------------------------------------------------------

function shellName(name) {
  const [, days] = TIME.exec(name) ?? [];
  return days === undefined ? `$${name.replace('$', '')}` : `$(later ${days})`;
}

/** Variables stand outside of the single quotes. */
function quoteShell(text) {
  const plain = (part) => part.replaceAll("'", `'\\''`);
  const quoted = `'${joinParts(split(text), plain, (name) => `'"${shellName(name)}"'`)}'`;
  return quoted.replace(/^''(?=")/, '').replace(/(?<=")''$/, '');
}

const toTitleCase = (name) => name.replaceAll(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase());

function quoteDouble(text) {
  return `"${joinParts(split(text), (part) => part, shellName)}"`;
}

function formatQuery(query) {
  const pairs = Object.entries(query).map(
    ([name, value]) => `${name}=${joinParts(split(value), encodeURIComponent, (one) => `{{${one}}}`)}`,
  );
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

function readData({ body, file, lines }) {
  if (file !== undefined) return `--data-binary @${file}`;
  if (lines !== undefined) return `-d ${quoteShell(lines.join('\n'))}`;
  if (body === undefined) return undefined;
  return `-d ${quoteShell(typeof body === 'string' ? body : formatJson(body))}`;
}

export function writeCurl(request) {
  const { method, path, query, headers, keeps, prints, isRefused, lines: sent, length } = request;
  const data = readData(request);
  const { authorization, ...others } = headers;
  const key = authorization === undefined ? '"$AUTH"' : quoteDouble(`Authorization: ${authorization}`);
  const type =
    data !== undefined && others['content-type'] === undefined ? { 'content-type': 'application/json' } : {};
  // With a body, -G would send the body as a query.
  const isListed = data === undefined && Object.keys(query).length > 0;
  const target = isListed ? path : path + formatQuery(query);
  const flags = [
    isRefused ? `-so refusal.json -w '%{http_code} '` : '-fsS',
    ...(method === (data === undefined ? 'GET' : 'POST') ? [] : [`-X ${method}`]),
    ...(isListed ? ['-G'] : []),
  ];
  const lines = [
    `curl ${flags.join(' ')} ${quoteDouble(`$API${target}`)} -H ${key}`,
    ...(isListed ? Object.entries(query) : []).map(
      ([name, value]) => `--data-urlencode ${quoteShell(`${name}=${value}`)}`,
    ),
    ...Object.entries({ ...others, ...type }).map(([name, value]) => `-H '${toTitleCase(name)}: ${value}'`),
    ...(data === undefined ? [] : [data]),
  ];
  const call = lines.join(' \\\n  ');
  const show = (fields) => `fields ${fields.map(writeShellPath).join(' ')}`;
  if (isRefused) {
    const own = prints.filter((print) => print !== 'status');
    return `${call}\n${own.length > 0 ? `${show(own)} < refusal.json` : 'echo'}`;
  }
  if (sent !== undefined) return `${call} |\n  list |\n  ${show(prints)}`;
  if (length !== undefined) {
    const enough = `[ "$(fields length <<< "$response")" -ge ${length} ]`;
    return `until response=$(${call}) && ${enough}; do sleep 0.2; done\n${show(prints)} <<< "$response"`;
  }
  if (keeps.length + prints.length === 0) return `${call} -o /dev/null`;
  if (keeps.length === 0) return `${call} |\n  ${show(prints)}`;
  if (keeps.length === 1 && prints.length === 0) {
    const [[field, name]] = keeps;
    return `${name}=$(${call} |\n  ${show([field])})`;
  }
  return [
    `response=$(${call})`,
    ...keeps.map(([field, name]) => `${name}=$(${show([field])} <<< "$response")`),
    ...(prints.length > 0 ? [`${show(prints)} <<< "$response"`] : []),
  ].join('\n');
}

function writeShellPath(path) {
  const js = readJs('', path);
  return /^[\w.]+$/.test(path) ? path : `'${js.replaceAll("'", '"')}'`;
}

/** JSON with the layout of TypeScript's values. */
function formatJson(body) {
  const style = { ...TYPESCRIPT, key: (name) => `"${name}": `, text: (text) => JSON.stringify(text) };
  return write(body, {
    ...style,
    variable: (name) => `"{{${name}}}"`,
    template: (parts) =>
      JSON.stringify(
        joinParts(
          parts,
          (text) => text,
          (name) => `{{${name}}}`,
        ),
      ),
  }).replaceAll(/,(\n\s*[}\]])/g, '$1');
}
