/**
 * Queries as people type them: names, statements without binders, terms, and English.
 */

/** `dvd_add`, `Nat.dvd_add`: one name, with a dot or an underscore. */
export function isName(text: string): boolean {
  return /^[\p{L}_][\p{L}\p{N}_'!?₀-₉]*(?:\.[\p{L}_][\p{L}\p{N}_'!?₀-₉]*)*$/u.test(text) && /[._]/.test(text);
}

/** `a`, `xs`, `h₁`: what people call variables. */
const variable = /(?<![\p{L}\p{N}_.'])(?:\p{Ll}|(?:\p{Ll})s|α|β|γ)['₀-₉\d]*(?![\p{L}\p{N}_'(])/gu;

/** The usual types of variables; the first type with which Lean reads the text counts. */
const numbers = ['Nat', 'Int'];
const propositions = /^[pqr]['₀-₉\d]*$/;
const functions = /^[fg]['₀-₉\d]*$/;
const lists = /^(?:\p{Ll}s|l)['₀-₉\d]*$/u;

interface Reading {
  readonly statement: string;
  readonly kind: 'term' | 'statement';
}

/**
 * Statements that a text may mean, most likely first: as written, then with binders for its variables, and as an equation if it is a
 * term.
 */
export function readings(text: string): Reading[] {
  if (/^\s*(?:theorem|lemma)\b/.test(text)) return [{ statement: text, kind: 'statement' }];
  const names = [...new Set(text.match(variable) ?? [])];
  const binders = [
    ...numbers.map((type) => bound(names, type, 'Prop')),
    bound(names, 'α', 'Prop'),
    bound(names, 'Nat', 'Nat → Bool'),
    bound(names, 'Prop', 'Prop'),
  ];
  return [...new Set(['', ...binders])].flatMap((some) => [
    { statement: `theorem asked ${some}: ${text}`, kind: 'statement' },
    { statement: `theorem asked ${some}: ∀ same, ${text} = same`, kind: 'term' },
  ]);
}

function bound(names: readonly string[], element: string, predicate: string): string {
  const typeOf = (name: string): string => {
    if (lists.test(name)) return `List ${element}`;
    if (functions.test(name)) return element === 'α' ? 'α → α' : `${element} → ${element}`;
    return propositions.test(name) ? predicate : element;
  };
  const types = element === 'α' && names.length > 0 ? '{α : Type} ' : '';
  return types + names.map((name) => `(${name} : ${typeOf(name)}) `).join('');
}

/** English words for what names of lemmas call otherwise; words without meaning for a search are empty. */
const meanings: ReadonlyMap<string, string> = new Map(
  Object.entries({
    add: 'addition added adding sum sums plus total',
    mul: 'multiplication multiplied multiply multiplying product products times factor factors multiple multiples',
    sub: 'subtraction subtract subtracting subtracted difference minus',
    div: 'division quotient dividing',
    dvd: 'divides divide divisible divisibility',
    mod: 'modulo remainder remainders modulus',
    'dvd two': 'even',
    'mod two one': 'odd',
    pow: 'power powers exponent exponents exponentiation raised',
    'pow two': 'square squares squared',
    neg: 'negation negative negated',
    abs: 'absolute',
    succ: 'successor',
    pred: 'predecessor',
    gcd: 'greatest common',
    lcm: 'least',
    max: 'maximum larger',
    min: 'minimum',
    lt: 'less smaller below greater bigger strictly',
    le: 'most',
    eq: 'equal equals equality same',
    ne: 'unequal different distinct',
    comm: 'commutative commutativity commutes commute swap swapped',
    assoc: 'associative associativity',
    distrib: 'distributive distributes distributivity',
    trans: 'transitive transitivity',
    refl: 'reflexive reflexivity',
    symm: 'symmetric symmetry',
    antisymm: 'antisymmetric antisymmetry',
    self: 'itself',
    cancel: 'cancellation cancels cancelled',
    inj: 'injective injectivity',
    zero: 'vanishes nothing',
    nil: 'empty',
    length: 'size lengths',
    append: 'appended appending concatenation concatenated concatenate concatenating joined',
    reverse: 'reversed reversing reversal backwards',
    mem: 'member members element elements membership contains contained',
    map: 'mapped mapping',
    filter: 'filtered filtering',
    take: 'taking prefix',
    drop: 'dropping dropped suffix',
    insert: 'insertion inserted inserting',
    erase: 'removal removed removing deleted',
    getElem: 'index lookup entry',
    head: 'first',
    getLast: 'last',
    perm: 'permutation',
    sublist: 'subsequence',
    nat: 'natural',
    int: 'integer integers',
    rat: 'rational',
    list: 'lists',
    iff: 'exactly equivalent only',
    '': 'divisor dividend a an the of is are its it and or number numbers for to in on with after by from both every all one some any then than that if when',
  }).flatMap(([meaning, words]) => words.split(' ').map((word) => [word, meaning] as const)),
);

/** English words as the words of lemma names: `sum of even numbers` is `add dvd two`. Undefined if the text is not English. */
export function lemmaWords(text: string): string | undefined {
  if (!/^[\p{L}\s,.'-]+$/u.test(text) || !/\p{L}{3}/u.test(text)) return undefined;
  const plain = text.toLowerCase().replaceAll('less than or equal', 'le');
  const words = plain.match(/\p{L}+/gu) ?? [];
  return words
    .map((word) => meanings.get(word) ?? word)
    .filter((word) => word !== '')
    .join(' ');
}
