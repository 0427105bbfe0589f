export const ORDER = {
  id: 'A-17',
  customer: {
    name: 'Ada Lovelace',
    email: ' Ada@Example.com ',
    tags: ['vip', 'new', 'vip'],
    born: '1815-12-10',
  },
  items: [
    { sku: 'x1', name: 'Wheel', price: 12.5, count: 4, options: { color: 'red' } },
    { sku: 'x2', name: 'Door', price: 99, count: 2 },
    { sku: 'x3', name: 'Bolt', price: 0.1, count: 250, options: { color: 'blue', size: [1, 2] } },
  ],
  paid: true,
  note: null,
  'odd name': { '%': 5 },
  empty: [],
  matrix: [
    [1, 2],
    [3, 4],
  ],
};

// oxfmt-ignore
const PATHS = [
  'id', 'customer.name', 'items.name', 'items[0]', 'items[-1].sku', 'items[price > 10].name', 'items[0..1].sku',
  'items.options.color', 'items[options.color = "red"].sku', 'missing', 'missing.deep', 'note', 'empty', 'paid',
  '`odd name`.`%`', '"odd name"', 'items.price[0]', 'items.(price * count)', '$', '$$.id', '$.items[1]', 'matrix',
  'matrix[0]', 'matrix.$', 'items.*', 'items[0].*', '**.color', '*.name', 'items.sku[]', 'items[sku="x1"][]',
  'items[$contains(name, "o")].sku', 'items.{"s": sku, "t": price * count}', 'items{sku: price}', 'items{name: $}',
  'items{options.color ? "colored" : "plain": sku}', 'items^(price).sku', 'items^(>price).sku',
  'items^(>count, sku).sku', 'items@$i.{"i": $i.sku}', 'items#$n.{"n": $n, "s": sku}', 'items.options.(%.sku)',
  'items.{"all": %.id}', '[items.sku]', 'items[count > $average($$.items.count)].sku', 'items.sku.$uppercase($)',
  'customer.tags[0]', 'customer[name = "x"]',
];

// oxfmt-ignore
const OPERATORS = [
  '1 + 2', '5 - 7', '3 * 4', '7 / 2', '7 % 3', '-5', '-items[0].price', '1 = 1', '1 != 2', '1 < 2', '2 <= 2', '3 > 4',
  '4 >= 4', '"a" < "b"', '"a" & 1 & true', 'missing & "x"', 'true and false', 'true or false', 'paid and missing',
  '"vip" in customer.tags', '5 in 5', '[1..5]', '[1, 2..4, 9]', '[3..1]', 'paid ? "yes" : "no"', 'missing ? 1',
  'missing ?: "d"', 'missing ?? "d"', 'note ?? "d"', '(1; 2; 3)', '($x := 5; $x + 1)',
  '($a := ($b := 2) * 2; $a + $b)', '"a" ~> $uppercase', 'customer.email ~> $trim() ~> $lowercase()',
  '($up := $trim ~> $uppercase; $up(" a "))', '{"a": 1, "b": {"c": [1]}}', '[1, [2, [3]]]', '{"k" & "1": 2}', '[]',
  '{}', 'null', 'true', '"text\\n\\u00e9"', '1e3', '0.1 + 0.2', '[1] = [1]', '{"a":1} = {"a":1}',
  '$ ~> |items|{"total": price * count}|', '$ ~> |items|{}, "options"|',
  '$ ~> |customer|{"name": "B"}, ["email", "tags"]|.customer', '/* a comment */ 1', 'function($x) { $x * 2 }(4)',
  '($f := function($n) { $n <= 1 ? 1 : $n * $f($n - 1) }; $f(10))',
  '($add := function($a, $b) { $a + $b }; $add(?, 2)(3))', 'λ($x) { $x & "!" }("a")',
  '($f := function($x)<s:s> { $x }; $f("a"))',
];

// oxfmt-ignore
const TEXTS = [
  '$string(5)', '$string({"a": [1, 2]})', '$string(items[0], true)', '$length("héllo😀")', '$substring("hello", 1, 3)',
  '$substring("hello", -3)', '$substringBefore("a-b-c", "-")', '$substringAfter("a-b-c", "-")', '$uppercase("é")',
  '$lowercase("ÀB")', '$trim("  a \\n b ")', '$pad("5", -3, "0")', '$pad("5", 3, "ab")', '$contains("abc", "b")',
  '$contains("abc", /B/i)', '$split("a, b;c", /[,;] */)', '$split("a-b-c", "-", 2)', '$join(["a", "b"], "-")',
  '$join(customer.tags)', '$match("ab12cd345", /[a-z]+(\\d+)/)', '$match("abc", /x/)', '$match("a1b2", /\\d/, 1)',
  '$replace("a-b-c", "-", "+")', '$replace("a-b-c", "-", "+", 1)',
  '$replace("John Smith", /(\\w+)\\s(\\w+)/, "$2, $1")', '$replace("265USD", /([0-9]+)USD/, "$$$1")',
  '$replace("abc", /[ac]/, function($m) { $uppercase($m.match) })', '$eval("[1,2].($ + 1)")', '$eval("items.sku")',
  '$base64encode("hello")', '$base64decode("aGVsbG8=")', '$encodeUrlComponent("?x=é&y")',
  '$encodeUrl("https://a.b/é?x")', '$decodeUrlComponent("%3Fx%3D1")', '$decodeUrl("https://a.b/%C3%A9")',
  '/^A/(customer.name).match', '$match("日本語", /本/)',
];

// oxfmt-ignore
const NUMBERS = [
  '$number("12.5")', '$number("0x1F")', '$number(true)', '$abs(-5)', '$floor(-1.5)', '$ceil(1.2)', '$round(2.5)',
  '$round(3.5)', '$round(123.456, 2)', '$round(1250, -2)', '$power(2, 10)', '$sqrt(16)',
  '$formatNumber(12345.6, "#,###.00")', '$formatNumber(0.14, "01%")', '$formatNumber(1234.5678, "00.000e0")',
  '$formatBase(255, 16)', '$formatInteger(2789, "w")', '$formatInteger(1999, "I")', '$formatInteger(12, "#,##0")',
  '$parseInteger("twelve thousand", "w")', '$parseInteger("12,345", "#,##0")', '$sum(items.(price * count))',
  '$max(items.price)', '$min(items.price)', '$average(items.price)', '$sum([])', '$count(items)',
];

// oxfmt-ignore
const LISTS = [
  '$append([1], [2, 3])', '$append(1, 2)', '$sort(items.price)',
  '$sort(items, function($l, $r) { $l.count > $r.count }).sku', '$reverse([1, 2, 3])', '$distinct(customer.tags)',
  '$zip([1, 2], ["a", "b"])', '$count(missing)', '$exists(missing)',
  '$map([1..3], function($v, $i, $a) { $v * $i + $count($a) })', '$filter(items, function($i) { $i.price > 1 }).sku',
  '$single(items, function($i) { $i.sku = "x2" }).name', '$reduce([1..5], function($a, $b) { $a * $b })',
  '$reduce([1..5], function($a, $b) { $a + $b }, 100)', '$sift(customer, function($v, $k) { $k = "name" })',
  '$shuffle([7])', '$keys(customer)', '$keys(items)', '$lookup(customer, "name")', '$lookup(items, "sku")',
  '$spread(items[0])', '$merge([{"a": 1}, {"b": 2, "a": 3}])',
  '$each(customer, function($v, $k) { $k & "=" & $string($v) })', '$type(items)', '$type(note)', '$type(missing)',
  '$type($sum)', '$clone(customer)', '$boolean([0, ""])', '$boolean("x")', '$not(paid)', '$assert(true, "never")',
  '$map("abc", $uppercase)',
];

// oxfmt-ignore
const TIMES = [
  '$fromMillis(1510067557121)', '$fromMillis(1510067557121, "[M01]/[D01]/[Y0001] [h#1]:[m01][P]")',
  '$fromMillis(1510067557121, "[H01]:[m01]:[s01] [z]", "-0500")', '$toMillis("2017-11-07T15:07:54.972Z")',
  '$toMillis("2017-11-07", "[Y]-[M]-[D]")', '$fromMillis($toMillis(customer.born), "[FNn], [D1o] [MNn] [Y]")',
  '$now() = $now()', '$millis() = $millis()', '$random() < 1', '$fromMillis(0, "[W] [w] [X]")',
  '$toMillis("21:15", "[H]:[m]") > 0',
];

// oxfmt-ignore
const FAILING = [
  '1 + "a"', '$sum("a")', '$error("said so")', '$assert(false, "not so")', 'missing()', '$number("x")',
  '1e308 * 10 * 10', '$toMillis("x")', '[1..20000000]', '$single([1, 2])', '$formatBase(1, 99)', '-"a"',
  '{"a": 1, "a": 2}', '$eval("1 +")', '$decodeUrl("%")', '1 < "a"', '$sqrt(-1)', '$formatNumber(1, "#0.0.0")',
  '"a" ~> 5', '$substring(5, 1)',
];

export const EXPRESSIONS = [...PATHS, ...OPERATORS, ...TEXTS, ...NUMBERS, ...LISTS, ...TIMES, ...FAILING];
