/** Harmful expressions with their names. Each expression ends in an error. */
export const HARMFUL: [string, string][] = [
  // Endless computation.
  ['endless tail calls', '($f := function($x) { $f($x + 1) }; $f(1))'],
  ['endless calls between two', '($f := function($x) { $g($x) }; $g := function($x) { $f($x) }; $f(1))'],
  ['deep recursion', '($f := function($x) { 1 + $f($x + 1) }; $f(1))'],
  ['recursion that doubles', '($f := function($n) { $n < 2 ? 1 : $f($n - 1) + $f($n - 2) }; $f(60))'],
  ['the Y combinator', '(function($f) { $f($f) })(function($f) { 1 + $f($f) })'],
  ['endless eval', '($e := "$eval($e)"; $f := function() { $eval("1") + $f() }; $f())'],
  ['nested maps', '$map([1..9999], function($a) { $map([1..9999], function($b) { $a * $b }) })'],
  ['a cross product', '[1..3000].([1..3000].($ * 2)) ~> $sum()'],
  ['a sort that never agrees', '[1..9999] ~> $sort(function($a, $b) { $sum([1..9999]) > 0 })'],
  ['endless loop beside an error', '[$error("stop"), ($f := function($x) { $f($x) }; $f(1))]'],
  ['endless loop in a predicate', '[1..3][($f := function($x) { $f($x) }; $f(1))]'],
  ['endless loop in a key', '{ ($f := function($x) { $f($x) }; $f("k")): 1 }'],
  // Too much memory.
  ['half a gigabyte of padding', "$pad('', 500000000, 'a')"],
  ['padding to the left', "$pad('', -400000000, 'ab')"],
  ['a range of ten million', '[1..10000000]'],
  ['the sum of ten million', '$sum([1..10000000])'],
  ['a range without a practical limit', '[1..99999999999]'],
  [
    'a text that doubles',
    '$reduce([1..40], function($a, $i) { $a & $a }, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")',
  ],
  ['a list that doubles', '$reduce([1..40], function($a, $i) { $append($a, $a) }, [1, 2])'],
  ['objects within objects', '($f := function($x) { $f({ "a": $x, "b": $x }) }; $f(1))'],
  ['a long list of texts', "$map([1..100000], function($i) { $pad($string($i), 10000, 'x') })"],
  ['a join of many texts', "$join($map([1..200000], function($i) { $pad('', 1000, 'ab') }), ',')"],
  ['a Base64 text outside the heap', "$base64encode($pad('', 40000000, 'a'))"],
  ['replacement by longer texts', "$replace($pad('', 100000, 'a'), 'a', $pad('', 10000, 'b'))"],
  // Expensive patterns.
  ['a back reference', '$match("aaaa", /(a)\\1/)'],
  ['a look-ahead', '$contains("aaaa", /(?=a)a/)'],
  ['too many repetitions', '$match("a", /((a{1000}){1000}){1000}/)'],
  ['a pattern without end', '$replace("aaaa", /x*/, "y") & $error("not reached")'],
  [
    'a catastrophic picture of a time',
    `$toMillis($pad('', 60, '1'), $pad('', 300, '[Y]'))  & $error("ended")`,
  ],
  // Attempts to escape from the language, and forbidden lookups.
  ['the constructor', '($c := $.constructor; $c("return process"))'],
  ['a function’s constructor', '$sum.constructor("return process")()'],
  ['the prototype of an object', '($p := $lookup({}, "__proto__"); $p("x"))'],
  ['writing into a function', '{} ~> | $sum | { "implementation": 1 } |'],
  ['writing into the prototype', '{} ~> | $ | { "__proto__": { "a": 1 } } | & $nothing()'],
  ['reading a file', '$readFile("/etc/passwd")'],
  ['requiring a module', '$require("fs").readFileSync("/etc/passwd")'],
  ['importing a module', '$eval("import(\'fs\')")'],
  ['the environment', '$process.env ~> $error()'],
  ['the network', '$fetch("http://169.254.169.254/")'],
  ['lookups without end', '$map([1..1000], function($i) { $conversation({ "meta.n": $i }) })'],
  ['a lookup by an operator', '$conversation({ "$where": "sleep(10000)" })'],
  ['a lookup by an object', '$contact({ "profile": { "$gt": "" } })'],
  ['a lookup of a hidden field', '$conversation({ "commit": "x" })'],
  // Invalid results.
  ['a function', 'function($x) { $x }'],
  ['a function within', '{ "conversation": $sum, "messages": [] }'],
  ['a hundred megabytes', `$map([1..1000], function($i) { $pad('', 100000, 'a') })`],
  ['a small object a billion times', '$reduce([1..30], function($a, $i) { [[$a], [$a]] }, "lol")'],
  ['too many levels', '$reduce([1..500], function($a, $i) { { "a": $a } }, 1)'],
  ['half a character', '$eval("\\"\\\\uD800\\"")'],
  ['a NUL character', '$eval("\\"\\\\u0000\\"")'],
  ['a number that overflows', '1e308 * 10'],
];

/** Expressions that exceed the memory limit of a run long before the time limit. */
export const GREEDY: [string, string][] = [
  ['the length of a very long text', "$length($pad('', 500000000, 'a'))"],
  ['a text split into millions of parts', "$split($pad('', 30000000, 'a,'), ',')"],
  ['a long text encoded for URLs', "$encodeUrlComponent($pad('', 20000000, '€'))"],
  ['a number with millions of digits', "$formatNumber(1, $pad('', 20000000, '0'))"],
  ['a permutation', '$shuffle([1..9000000])'],
];

/** All hostile expressions. Each ends in an error and does not affect other runs. */
export const HOSTILE = [...HARMFUL, ...GREEDY];
